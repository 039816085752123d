import { contractCases, planContract, runSuite } from '../../src/index.ts'
import type { BrokenEngine } from './broken-engine.ts'

/** The ids of the cases that a broken engine fails, in the order of the suite, each with what was found. Default: of all. */
export async function runBrokenEngine(
  { target, limitMs }: BrokenEngine,
  cases = contractCases,
): Promise<Map<string, string>> {
  const results = await runSuite(planContract(target, { cases, limitMs }))
  const failed = results.filter(({ status }) => status === 'failed')
  return new Map(failed.map(({ id, reason = '' }) => [id, reason]))
}
