import { basename } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { type ContextEngine, errorText, PalimpsestError } from '@palimpsest/core'
import { contractCases } from '../cases/index.ts'
import type { ContractTarget } from '../contract-target.ts'
import { createHarness } from '../harness/create-harness.ts'
import { createPatience } from '../harness/time-limit.ts'
import { planContract } from '../plan-contract.ts'
import { type CaseResult, runSuite } from '../run-suite.ts'
import { readTarget } from './read-target.ts'
import type { StrayErrors } from './stray-errors.ts'
import { UsageError } from './usage-error.ts'
import type { WorkerJob, WorkerMessage } from './worker-messages.ts'

/** The case that compares what an engine declares with what it is expected to. */
const DECLARATION = 'C03'

type Send = (message: WorkerMessage) => Promise<void>

/**
 * Loads an engine and runs cases of the contract on it, and tells about each step before the next begins, so that
 * the other side knows what was going on when this process ends.
 *
 * @throws UsageError when there is nothing to run cases on.
 */
export async function runJob(job: WorkerJob, strays: StrayErrors, send: Send): Promise<void> {
  const exports = await loadModule(job.url, job.label, strays)
  const target = readTarget({ exports, ...job })
  const capabilities = declaredBy(target, job.label)
  const wanted = target.expectCapabilities.length > 0 ? [...job.cases, DECLARATION] : job.cases
  const cases = contractCases.filter(({ id }) => wanted.includes(id) && !job.done.includes(id))
  const planned = planContract(target, { cases })
  await send({
    type: 'planned',
    plan: {
      engine: target.name,
      capabilities,
      expected: target.expectCapabilities,
      seed: target.seed,
      propertyRuns: target.propertyRuns,
      caseTimeoutMs: target.caseTimeoutMs,
      cases: planned.map(({ entry: { id, title }, skip }) => ({
        id,
        title,
        ...(skip !== undefined && { skip }),
      })),
    },
  })
  for (const one of job.planOnly ? [] : planned) {
    await send({ type: 'started', id: one.entry.id })
    const [result] = await runSuite([one])
    await setImmediate()
    if (result !== undefined) await send({ type: 'finished', result: withStrays(result, strays) })
  }
  await send({ type: 'done' })
}

/**
 * The engine's declared capabilities. Options that it refuses end the run; other failures are for the cases to find.
 */
function declaredBy(target: ContractTarget, label: string): ContextEngine['capabilities'] {
  const { harness, cleanUp } = createHarness({ target, capabilities: new Set(), patience: createPatience() })
  try {
    return harness.create().capabilities
  } catch (error) {
    if (PalimpsestError.isInstance(error) && error.code === 'INVALID_OPTION')
      throw new UsageError(`the engine of ${label} refuses its options: ${error.message}`)
    return []
  } finally {
    void cleanUp()
  }
}

function withStrays(result: CaseResult, strays: StrayErrors): CaseResult {
  if (result.status === 'skipped') return result
  const found = strays.take()
  if (found.length === 0) return result
  const told = found.map((stray) => `the engine left ${stray}`)
  return {
    ...result,
    status: 'failed',
    reason: [...(result.status === 'failed' ? [result.reason] : []), ...told].join('\n'),
  }
}

/**
 * Imports a module and returns what it exports.
 *
 * @throws UsageError when it throws, or leaves an unhandled failure behind.
 */
async function loadModule(
  url: string,
  label: string,
  strays: StrayErrors,
): Promise<Readonly<Record<string, unknown>>> {
  let exports: Readonly<Record<string, unknown>>
  try {
    exports = await import(url)
  } catch (error) {
    const text = errorText(error)
    throw new UsageError(
      `${label} threw while it was loaded: ${text}${placeOf(error, label)}${adviceOn(text)}`,
    )
  }
  // Node reports unhandled promises when the current work is over.
  await setImmediate()
  const [stray] = strays.take()
  if (stray !== undefined) throw new UsageError(`${label} left ${stray} while it was loaded`)
  return exports
}

/** The usual reasons why the module of a newcomer does not load. */
function adviceOn(text: string): string {
  const [, missing] = /^Cannot find package '([^']+)'/.exec(text) ?? []
  if (missing !== undefined) return `; install it: npm install ${missing}`
  return text.startsWith('Unknown file extension ".mts"') || text.startsWith('Unknown file extension ".ts"')
    ? `; TypeScript needs Node 22.18 or later, and this is ${process.versions.node}`
    : ''
}

/** A line of a stack that names a file of the author: `at load (file:///engine.js:12:7)`. */
const FRAME = /^ +at (?:.* \()?(?!node:)([^()\s]+):(\d+):\d+\)?$/m

/** Where in the author's files it happened. */
function placeOf(error: unknown, label: string): string {
  if (!(error instanceof Error)) return ''
  const [, file, line] = FRAME.exec(error.stack ?? '') ?? []
  if (file !== undefined) return ` (${basename(decodeURIComponent(file))}:${line})`
  // Only what Node prints itself says where a syntax error is.
  return error instanceof SyntaxError ? ` ("node ${label}" shows where)` : ''
}
