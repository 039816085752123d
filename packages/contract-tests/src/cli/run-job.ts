import { basename } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import {
  type ContextEngine,
  type EngineDefinition,
  errorText,
  isEngineDefinition,
  PalimpsestError,
} from '@palimpsest/core'
import { contractCases } from '../cases/index.ts'
import { type ContractHost, type ContractTarget, TARGET_DEFAULTS } from '../contract-target.ts'
import { createHarness } from '../harness/create-harness.ts'
import { createPatience } from '../harness/time-limit.ts'
import { planContract } from '../plan-contract.ts'
import { type CaseResult, runSuite } from '../run-suite.ts'
import { UsageError } from './read-arguments.ts'
import type { WorkerJob, WorkerMessage } from './worker-messages.ts'

/** The case that compares what an engine declares with what it is expected to. */
const DECLARATION = 'C03'

type Send = (message: WorkerMessage) => Promise<void>

/** Failures that came up outside of any call. */
export interface StrayErrors {
  /** Those since the last look, each as part of a sentence and once, however often it came. */
  take(): string[]
}

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

/**
 * Reads the target of a module: a `ContractTarget` of its own, or one around the engine that it defines.
 *
 * @throws UsageError that says what the module exports instead.
 */
export function readTarget({
  exports,
  label,
  options,
  expect,
  seed,
  runs,
  caseTimeoutMs,
}: Omit<WorkerJob, 'url' | 'cases' | 'done' | 'planOnly'> & {
  readonly exports: Readonly<Record<string, unknown>>
}): Required<Pick<ContractTarget, keyof typeof TARGET_DEFAULTS>> & ContractTarget {
  const target = exportedTarget(exports, label)
  const { name, expectCapabilities, skip } = target
  const withOptions = (host: ContractHost): ContractHost => ({
    ...host,
    options: { ...fillPlaceholder(options, host.storage), ...host.options },
  })
  return {
    name,
    create: (host) => target.create(withOptions(host)),
    reopen: (host) => (target.reopen ?? target.create).call(target, withOptions(host)),
    ...(target.recall && { recall: target.recall.bind(target) }),
    expectCapabilities: [...new Set([...expectCapabilities, ...expect])],
    ...(skip && { skip }),
    seed: seed ?? target.seed ?? TARGET_DEFAULTS.seed,
    propertyRuns: runs ?? target.propertyRuns ?? TARGET_DEFAULTS.propertyRuns,
    caseTimeoutMs: caseTimeoutMs ?? target.caseTimeoutMs ?? TARGET_DEFAULTS.caseTimeoutMs,
  }
}

function exportedTarget(exports: Readonly<Record<string, unknown>>, label: string): ContractTarget {
  const exported = exports.contractTarget ?? exports.default
  if (isEngineDefinition(exported)) return targetOf(exported, label)
  if (typeof exported !== 'object' || exported === null) {
    throw new UsageError(
      `${label} exports no engine: ${describeExports(exports)}; it should export by default what defineContextEngine() returns, or a ContractTarget`,
    )
  }
  const { name, create, apiVersion, expectCapabilities } = exported as Readonly<Record<string, unknown>>
  if (apiVersion !== undefined)
    throw new UsageError(
      `${label} exports an engine that defineContextEngine() did not make; wrap it in a call of that`,
    )
  if (typeof name !== 'string' || typeof create !== 'function')
    throw new UsageError(
      `${label} exports an object without name and create; a ContractTarget needs both, and an engine is what defineContextEngine() returns`,
    )
  if (!Array.isArray(expectCapabilities))
    throw new UsageError(
      `the ContractTarget of ${label} needs expectCapabilities: what the engine must declare, [] for nothing`,
    )
  return exported as ContractTarget
}

function targetOf(definition: EngineDefinition, label: string): ContractTarget {
  const { name, apiVersion } = definition
  if (apiVersion !== 1)
    throw new UsageError(
      `the engine of ${label} has apiVersion ${String(apiVersion)}; this suite tests apiVersion 1`,
    )
  return {
    name,
    create: (host) => definition.create({ ...host.options }, host),
    expectCapabilities: [],
  }
}

function describeExports(exports: Readonly<Record<string, unknown>>): string {
  const names = Object.keys(exports)
  if (names.length === 0) return 'it exports nothing'
  if (!names.includes('default')) return `it has no default export, only ${names.join(', ')}`
  return `its default export is ${exports.default === null ? 'null' : `of type ${typeof exports.default}`}`
}

/** Stands in options for the storage folder of the case. */
const STORAGE = '{storage}'

/** The same options, with the folder in every text that asks for it, however deep. */
function fillPlaceholder(
  options: Readonly<Record<string, unknown>>,
  storage: string,
): Record<string, unknown> {
  return filled(options) as Record<string, unknown>

  function filled(value: unknown): unknown {
    if (typeof value === 'string') return value.replaceAll(STORAGE, () => storage)
    if (Array.isArray(value)) return value.map(filled)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, filled(member)]))
  }
}
