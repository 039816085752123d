import { createContext, Script } from 'node:vm'
import { ToolFault } from './tool-fault.ts'
import { TOOL_LIMITS } from './tool-limits.ts'

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
