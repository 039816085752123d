import { createContext, Script } from 'node:vm'
import { ToolFault } from './tool.ts'

/** Every bound of the chat's tools. Sizes in bytes or characters as named, times in milliseconds. */
export const TOOL_LIMITS = Object.freeze({
  /** Characters of one result, in a large window. */
  outputCharacters: 40_000,
  /** No result takes more than this share of the window, at four characters a token. */
  outputShare: 0.15,
  /** Characters of one line that are shown. */
  lineCharacters: 2_000,
  /** Lines that `read_file` shows unless it is asked for fewer or more. */
  readLines: 2_000,
  /** For reading or searching. */
  readTime: 20_000,
  /** Bytes that are read at once. */
  chunkBytes: 1024 * 1024,
  /** Bytes of a file that may be edited. */
  editBytes: 10 * 1024 * 1024,
  /** Bytes of a UTF-16 file, which is read as a whole. */
  wholeBytes: 8 * 1024 * 1024,
  /** Entries of one list. */
  listEntries: 500,
  /** Files that a walk through the workspace looks at. */
  walkFiles: 100_000,
  /** Lines that a search shows. */
  searchMatches: 200,
  /** For a pattern on one piece of a file: some would take years. */
  patternTime: 500,
  /** For a command, unless the model asks for another time. */
  commandTime: 120_000,
  /** The longest time that a model may ask for. */
  longestCommand: 600_000,
  /** From the polite signal to the one that cannot be refused. */
  killAfter: 2_000,
})

/**
 * A check to call between pieces of work on files: throws when the person stopped it, or when it took too long.
 *
 * @param advice what to do instead, for the model.
 */
export function timeCheck(signal: AbortSignal, advice: string): () => void {
  const end = performance.now() + TOOL_LIMITS.readTime
  return () => {
    signal.throwIfAborted()
    if (performance.now() <= end) return
    throw new ToolFault(
      `this took longer than ${TOOL_LIMITS.readTime / 1_000} seconds and was ended; ${advice}`,
    )
  }
}

/** The script calls it. A context takes a while to make, and one serves all: only one piece of work runs at a time. */
const sandbox = { work: () => {} }
const context = createContext(sandbox)
const script = new Script('work()')

/**
 * Runs a piece of work that may never end, such as a search with a pattern of a model's, and ends it when its
 * time is up. The engine ends a regular expression in the midst of its backtracking, too.
 *
 * @throws ToolFault when the time is up; else what the work throws.
 */
export function runBounded<T>(work: () => T, what: string): T {
  let result: { readonly value: T } | undefined
  sandbox.work = () => {
    result = { value: work() }
  }
  try {
    script.runInContext(context, { timeout: TOOL_LIMITS.patternTime })
  } catch (error) {
    const isLate = (error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
    if (!isLate) throw error
    throw new ToolFault(`${what} takes too long; avoid repetition within repetition, such as (a+)+`)
  }
  if (result === undefined) throw new ToolFault(`${what} gave no result`)
  return result.value
}
