#pragma once

#include <cstdint>

/// Every name that stands in a file of a run, in one place. The names under `lm_eval` are those of
/// lm-evaluation-harness 0.4.13, whose readers must find them.
namespace tare::store::fields {

inline constexpr const char* kResultsFile = "results.json";
inline constexpr const char* kExecutionFile = "execution.json";
inline constexpr const char* kJournalFile = "journal.sqlite";
inline constexpr const char* kLedgerFile = "study.json";
inline constexpr const char* kFloorLogFile = "floor.sqlite";

/// Raised whenever a field changes its meaning or goes away.
inline constexpr const char* kSchemaVersion = "schema_version";
inline constexpr std::int64_t kResultsVersion = 2;
inline constexpr std::int64_t kSamplesVersion = 2;
inline constexpr std::int64_t kExecutionVersion = 1;
inline constexpr std::int64_t kJournalVersion = 2;
inline constexpr std::int64_t kCacheVersion = 1;
inline constexpr std::int64_t kRunStateVersion = 1;
inline constexpr std::int64_t kLedgerVersion = 1;
inline constexpr std::int64_t kPartLogVersion = 1;
inline constexpr std::int64_t kFloorVersion = 1;

/// tare's own block in results.json and in each line of a samples file.
inline constexpr const char* kTare = "tare";

// One answer of the model, in samples.
inline constexpr const char* kLogLikelihood = "log_likelihood";
inline constexpr const char* kGreedy = "greedy";
inline constexpr const char* kFailure = "failure";
inline constexpr const char* kText = "text";
inline constexpr const char* kAnswer = "answer";
inline constexpr const char* kFinish = "finish";
inline constexpr const char* kGeneratedTokens = "generated_tokens";
inline constexpr const char* kContextTokens = "context_tokens";
inline constexpr const char* kContinuationTokens = "continuation_tokens";
inline constexpr const char* kTruncatedTokens = "truncated_tokens";

namespace lm_eval {

inline constexpr const char* kResults = "results";
inline constexpr const char* kName = "name";
inline constexpr const char* kAlias = "alias";
inline constexpr const char* kSampleLen = "sample_len";
inline constexpr const char* kStderrSuffix = "_stderr";
inline constexpr const char* kNoStderr = "N/A";
inline constexpr const char* kGroups = "groups";
inline constexpr const char* kSampleCount = "sample_count";
inline constexpr const char* kGroupSubtasks = "group_subtasks";
inline constexpr const char* kConfigs = "configs";
inline constexpr const char* kVersions = "versions";
inline constexpr const char* kNShot = "n-shot";
inline constexpr const char* kHigherIsBetter = "higher_is_better";
inline constexpr const char* kNSamples = "n-samples";
inline constexpr const char* kOriginal = "original";
inline constexpr const char* kEffective = "effective";

inline constexpr const char* kOutputType = "output_type";  ///< in a task's config
inline constexpr const char* kGenerationKwargs = "generation_kwargs";
inline constexpr const char* kRepeats = "repeats";
inline constexpr const char* kFilterList = "filter_list";
inline constexpr const char* kMetricList = "metric_list";
inline constexpr const char* kAggregation = "aggregation";  ///< in a metric_list

inline constexpr const char* kConfig = "config";
inline constexpr const char* kModel = "model";
inline constexpr const char* kModelArgs = "model_args";
inline constexpr const char* kBatchSize = "batch_size";
inline constexpr const char* kBatchSizes = "batch_sizes";
inline constexpr const char* kDevice = "device";
inline constexpr const char* kUseCache = "use_cache";
inline constexpr const char* kLimit = "limit";
inline constexpr const char* kBootstrapIters = "bootstrap_iters";
inline constexpr const char* kGenKwargs = "gen_kwargs";
inline constexpr const char* kSeeds[] = {"random_seed", "numpy_seed", "torch_seed", "fewshot_seed"};

inline constexpr const char* kGitHash = "git_hash";
inline constexpr const char* kDate = "date";
inline constexpr const char* kStartTime = "start_time";
inline constexpr const char* kEndTime = "end_time";
inline constexpr const char* kPrettyEnvInfo = "pretty_env_info";
inline constexpr const char* kTransformersVersion = "transformers_version";
inline constexpr const char* kLmEvalVersion = "lm_eval_version";
inline constexpr const char* kUpperGitHash = "upper_git_hash";
inline constexpr const char* kMaxLength = "max_length";
inline constexpr const char* kTaskHashes = "task_hashes";
inline constexpr const char* kModelSource = "model_source";
inline constexpr const char* kModelName = "model_name";
inline constexpr const char* kModelNameSanitized = "model_name_sanitized";
inline constexpr const char* kSystemInstruction = "system_instruction";
inline constexpr const char* kSystemInstructionSha = "system_instruction_sha";
inline constexpr const char* kFewshotAsMultiturn = "fewshot_as_multiturn";
inline constexpr const char* kChatTemplate = "chat_template";
inline constexpr const char* kChatTemplateSha = "chat_template_sha";
inline constexpr const char* kTotalSeconds = "total_evaluation_time_seconds";

/// The version whose layout is written and whose rules are followed.
inline constexpr const char* kReferenceVersion = "0.4.13";

inline constexpr const char* kDocId = "doc_id";
inline constexpr const char* kDoc = "doc";
inline constexpr const char* kTarget = "target";
inline constexpr const char* kArguments = "arguments";
inline constexpr const char* kRequestPrefix = "gen_args_";
inline constexpr const char* kContextArgument = "arg_0";
inline constexpr const char* kContinuationArgument = "arg_1";
inline constexpr const char* kResps = "resps";
inline constexpr const char* kFilteredResps = "filtered_resps";
inline constexpr const char* kFilter = "filter";
inline constexpr const char* kMetrics = "metrics";
inline constexpr const char* kDocHash = "doc_hash";
inline constexpr const char* kPromptHash = "prompt_hash";
inline constexpr const char* kTargetHash = "target_hash";

}  // namespace lm_eval

/// Inside the "tare" block of results.json.
namespace run {

inline constexpr const char* kBuild = "build";
inline constexpr const char* kModel = "model";
inline constexpr const char* kSpelling = "spelling";
inline constexpr const char* kName = "name";
inline constexpr const char* kPath = "path";
inline constexpr const char* kSha256 = "sha256";
inline constexpr const char* kUrl = "url";
inline constexpr const char* kRevision = "revision";
inline constexpr const char* kBackend = "backend";
inline constexpr const char* kSettings = "settings";
inline constexpr const char* kPython = "python";
inline constexpr const char* kInvariance = "invariance";
inline constexpr const char* kTasks = "tasks";
inline constexpr const char* kFiles = "files";
inline constexpr const char* kScored = "scored_documents";
inline constexpr const char* kFailed = "failed_documents";
inline constexpr const char* kFailures = "failures";
inline constexpr const char* kCoverage = "coverage";
inline constexpr const char* kDocuments = "documents";
inline constexpr const char* kBenchmarkDocuments = "benchmark_documents";
inline constexpr const char* kMissing = "missing";
inline constexpr const char* kMetrics = "metrics";
inline constexpr const char* kCalibrated = "calibrated";
inline constexpr const char* kWarnings = "warnings";
inline constexpr const char* kCode = "code";
inline constexpr const char* kText = "text";
inline constexpr const char* kCount = "count";
inline constexpr const char* kTokens = "tokens";
inline constexpr const char* kRequested = "requested";
inline constexpr const char* kUnique = "unique";

}  // namespace run

/// Inside execution.json.
namespace execution {

inline constexpr const char* kTimings = "timings_seconds";
inline constexpr const char* kLoadTasks = "load_tasks";
inline constexpr const char* kLoadModel = "load_model";
inline constexpr const char* kPlan = "plan";
inline constexpr const char* kProbe = "probe";
inline constexpr const char* kScore = "score";
inline constexpr const char* kTotal = "total";
inline constexpr const char* kToFirstResult = "to_first_result";
inline constexpr const char* kComputed = "computed";
inline constexpr const char* kPadding = "padding";
inline constexpr const char* kTokens = "tokens";
inline constexpr const char* kAnswers = "answers";
inline constexpr const char* kAsked = "asked";
inline constexpr const char* kJournal = "journal";
inline constexpr const char* kCache = "cache";
inline constexpr const char* kPeakMemory = "peak_memory_bytes";
inline constexpr const char* kBackend = "backend";
inline constexpr const char* kMachine = "machine";
inline constexpr const char* kWarnings = "warnings";

}  // namespace execution

/// tare.invariance in results.json.
namespace invariance {

inline constexpr const char* kVerdict = "verdict";
inline constexpr const char* kAttempts = "attempts";
inline constexpr const char* kShapeClass = "shape_class";
inline constexpr const char* kTrials = "trials";
inline constexpr const char* kTrial = "trial";
inline constexpr const char* kComparisons = "comparisons";
inline constexpr const char* kDiffering = "differing";

}  // namespace invariance

/// What is looked up in the dicts of a RunRecord that its maker fills.
namespace given {

inline constexpr const char* kWeightsSha256 = "weights_sha256";  ///< in RunRecord::backend
inline constexpr const char* kBackendSettings = "settings";      ///< in RunRecord::backend
inline constexpr const char* kName = "name";                     ///< in RunRecord::backend
inline constexpr const char* kVersion = "version";               ///< there and in RunRecord::build
inline constexpr const char* kGenerationDefaults = "generation_defaults";  ///< in backend
inline constexpr const char* kSeed = "seed";  ///< in RunRecord::settings: a list

}  // namespace given

/// Inside the "tare" block of a samples line.
namespace sample {

inline constexpr const char* kSubtask = "subtask";
inline constexpr const char* kSharedContext = "shared_context";
inline constexpr const char* kResponses = "responses";
inline constexpr const char* kTokens = "tokens";

}  // namespace sample

/// Inside the settings of a journal's header.
namespace journal {

inline constexpr const char* kBackend = "backend";  ///< as in results.json
inline constexpr const char* kInvariance = "invariance";
inline constexpr const char* kBuild = "build";
inline constexpr const char* kOptions = "options";  ///< the run's, compared by the flag's name
inline constexpr const char* kTasks = "tasks";
inline constexpr const char* kFiles = "files";
inline constexpr const char* kGroups = "groups";

}  // namespace journal

/// What `tare show --json` prints of a run without results.
namespace run_state {

inline constexpr const char* kFolder = "folder";
inline constexpr const char* kEnded = "ended";
inline constexpr const char* kAnswers = "answers";
inline constexpr const char* kAsked = "asked";
inline constexpr const char* kShard = "shard";
inline constexpr const char* kShards = "shards";
inline constexpr const char* kFailures = "failures";
inline constexpr const char* kNext = "next";
inline constexpr const char* kStartedIn = "started_in";
inline constexpr const char* kUnanswered = "unanswered";  ///< beside the keys of results.json
inline constexpr const char* kDocuments = "documents";

}  // namespace run_state

/// Inside study.json.
namespace ledger {

inline constexpr const char* kCells = "cells";
inline constexpr const char* kWords = "words";
inline constexpr const char* kFailure = "failure";
inline constexpr const char* kFailedItems = "failed_items";

}  // namespace ledger

/// A line of `tare validate --json`.
namespace validation {

inline constexpr const char* kTask = "task";
inline constexpr const char* kStatus = "status";
inline constexpr const char* kReason = "reason";
inline constexpr const char* kWarnings = "warnings";
inline constexpr const char* kDocuments = "documents";
inline constexpr const char* kRequests = "requests";
inline constexpr const char* kShots = "num_fewshot";
inline constexpr const char* kTaskHash = "task_hash";
inline constexpr const char* kHashes = "docs";
inline constexpr const char* kFaults = "faults";
inline constexpr const char* kText = "text";
inline constexpr const char* kCount = "count";
inline constexpr const char* kDocIds = "doc_ids";

}  // namespace validation

/// What asking a model takes: in execution.json and in the document of `tare plan --json`.
namespace budget {

inline constexpr const char* kBudget = "budget";
inline constexpr const char* kEstimated = "estimated";
inline constexpr const char* kReal = "real";
inline constexpr const char* kAtMost = "at_most";
inline constexpr const char* kTokens = "tokens";
inline constexpr const char* kFlops = "flops";
inline constexpr const char* kSeconds = "seconds";
inline constexpr const char* kJoules = "joules";
inline constexpr const char* kTasks = "tasks";
inline constexpr const char* kTask = "task";
inline constexpr const char* kTotal = "total";
inline constexpr const char* kFlopsUnknown = "flops_unknown";
inline constexpr const char* kWatts = "watts";
inline constexpr const char* kMeasured = "watts_measured";
inline constexpr const char* kSensitivity = "sensitivity";
inline constexpr const char* kAlpha = "alpha";
inline constexpr const char* kPower = "power";
inline constexpr const char* kDiscordance = "discordance";
inline constexpr const char* kScore = "score";
inline constexpr const char* kNeeded = "items_needed";
inline constexpr const char* kDifference = "difference";
inline constexpr const char* kItems = "items";
inline constexpr const char* kPaired = "paired";
inline constexpr const char* kUnpaired = "unpaired";

}  // namespace budget

/// The document of `tare plan --json`.
namespace plan {

inline constexpr const char* kModel = "model";
inline constexpr const char* kTasks = "tasks";
inline constexpr const char* kTask = "task";
inline constexpr const char* kRequestType = "request_type";
inline constexpr const char* kDocuments = "documents";
inline constexpr const char* kTotalDocuments = "total_documents";
inline constexpr const char* kShots = "num_fewshot";
inline constexpr const char* kRequests = "requests";
inline constexpr const char* kRepeats = "repeats";
inline constexpr const char* kFilterList = "filter_list";
inline constexpr const char* kMetricList = "metric_list";
inline constexpr const char* kAggregation = "aggregation";  ///< in a metric_list
inline constexpr const char* kGeneration = "generation_kwargs";
inline constexpr const char* kFiles = "files";
inline constexpr const char* kPrompts = "prompts";
inline constexpr const char* kDocId = "doc_id";
inline constexpr const char* kTarget = "target";
inline constexpr const char* kContext = "context";
inline constexpr const char* kContinuation = "continuation";
inline constexpr const char* kTokens = "tokens";
inline constexpr const char* kRequested = "requested";
inline constexpr const char* kUnique = "unique";
inline constexpr const char* kLongest = "longest";
inline constexpr const char* kContextLength = "context_length";
inline constexpr const char* kOverlong = "overlong";
inline constexpr const char* kMemory = "memory";
inline constexpr const char* kWeights = "weights";
inline constexpr const char* kKvCache = "kv_cache";
inline constexpr const char* kCompute = "compute";
inline constexpr const char* kLogits = "logits";
inline constexpr const char* kProgram = "program";
inline constexpr const char* kTotal = "total";
inline constexpr const char* kAvailable = "available";
inline constexpr const char* kTime = "time";
inline constexpr const char* kSeconds = "seconds";
inline constexpr const char* kAtMost = "at_most";

}  // namespace plan

}  // namespace tare::store::fields
