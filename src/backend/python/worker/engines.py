"""From a name in the settings to the object that answers. Libraries are imported where they are needed."""


def open_engine(settings):
    from tare_model import texts, weights

    folder = weights.folder_of(settings)
    if settings["load"] == "tokenizer":
        return texts.TokenizerOnly(folder)
    if settings["engine"] == "vllm":
        from tare_model import vllm_engine

        return vllm_engine.Vllm(folder, settings)
    from tare_model import transformers_engine

    return {
        "hf": transformers_engine.Transformers,
        "hf-pipeline": transformers_engine.Pipeline,
        "langchain-hf": transformers_engine.LangChain,
    }[settings["engine"]](folder, settings)
