/**
 * The abilities of an engine beyond the two required functions.
 *
 * Seen from the parts that its author wrote:
 * - `tools`: offers tools to the model (`toolSchemas`).
 * - `selection`: places messages for one request (`selectContext`).
 * - `pruning`: shortens old tool results without a model (`pruneToolResults`).
 *
 * Declared by its author, because no member shows it:
 * - `summarizer`: asks the host's model, and copes with its failures.
 * - `persistence`: goes on where it was when it is created again on the same storage.
 * - `lossless`: every ingested message can be had back, byte for byte, through its tools.
 */
export type EngineCapability = 'tools' | 'selection' | 'pruning' | 'summarizer' | 'persistence' | 'lossless'
