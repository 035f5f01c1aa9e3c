"""What each use of a function is given and what is taken from it (core::FunctionUse)."""

from tare_worker import dataset


def _documents(function, documents):
    return _rows(function(_data_set(documents)))


def _data_set(documents):
    kind = dataset.module().Dataset
    try:
        return kind.from_list(documents)
    except (TypeError, ValueError):
        return kind.from_list(documents, on_mixed_types="use_json")


def _rows(result):
    if not hasattr(result, "__iter__"):
        raise TypeError(f"the documents are a {type(result).__name__}, not a data set or a list")
    return [dict(row) if hasattr(row, "keys") else row for row in result]


def _results(function, document, responses):
    result = function(document, responses)
    if not hasattr(result, "keys"):
        raise TypeError(f"process_results gave a {type(result).__name__}, not a dict of metrics")
    return dict(result)


def _metric(function, references, predictions, arguments):
    try:
        return function(references=references, predictions=predictions, **arguments)
    except TypeError as error:
        # A metric without keywords takes (reference, prediction), as lm-eval's own corpus metrics do.
        try:
            return function([references[0], predictions[0]])
        except TypeError:
            raise error from None


def _filter(function, responses, documents, arguments):
    if isinstance(function, type):
        filtered = function(**arguments).apply(responses, documents)
    else:
        filtered = function(responses, documents)
    return list(filtered)


def _custom_dataset(function, arguments):
    return {name: _rows(rows) for name, rows in function(**arguments).items()}


USES = {
    "documents": _documents,
    "document_field": lambda function, document: function(document),
    "results": _results,
    "metric": _metric,
    "aggregation": lambda function, values: function(values),
    "filter": _filter,
    "samples": lambda function: _rows(function()),
    "custom_dataset": _custom_dataset,
}
