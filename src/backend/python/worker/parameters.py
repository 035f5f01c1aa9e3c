"""How tare's generation settings are called in each library. Pure: no library is imported.

`parameters` of a settings dict says who decides: "given" (the settings, wholly), "given_length" (max_tokens
alone) or "backend" (nothing). What is left to the library is not passed to it."""


def transformers_arguments(settings):
    """Arguments of generate(). What is given names each setting that a model's generation_config could bring."""
    who = settings["parameters"]
    if who == "backend":
        return {}
    arguments = {"max_new_tokens": settings["max_tokens"]}
    if who == "given_length":
        return arguments
    arguments["do_sample"] = settings["sample"]
    arguments["repetition_penalty"] = settings.get("repetition_penalty", 1.0)
    if settings["sample"]:
        arguments["temperature"] = settings["temperature"]
        arguments["top_p"] = settings.get("top_p", 1.0)
        arguments["top_k"] = settings.get("top_k", 0)  # 0: all tokens
        if settings.get("min_p"):
            arguments["min_p"] = settings["min_p"]
    return arguments


def vllm_arguments(settings):
    """Arguments of SamplingParams, without stop strings and seed."""
    who = settings["parameters"]
    if who == "backend":
        return {}
    arguments = {"max_tokens": settings["max_tokens"]}
    if who == "given_length":
        return arguments
    arguments["temperature"] = settings["temperature"] if settings["sample"] else 0.0
    arguments["repetition_penalty"] = settings.get("repetition_penalty", 1.0)
    if settings["sample"]:
        arguments["top_p"] = settings.get("top_p", 1.0)
        arguments["top_k"] = settings.get("top_k", 0)  # 0: all tokens
        arguments["min_p"] = settings.get("min_p", 0.0)
    return arguments
