import { type EngineDefinition, isEngineDefinition } from '@palimpsest/core'
import { type ContractHost, type ContractTarget, TARGET_DEFAULTS } from '../contract-target.ts'
import { UsageError } from './usage-error.ts'
import type { WorkerJob } from './worker-messages.ts'

/** The parts of a job that make a target out of a module. */
export interface TargetInput
  extends Pick<WorkerJob, 'label' | 'options' | 'expect' | 'seed' | 'runs' | 'caseTimeoutMs'> {
  /** Everything that the module exports. */
  readonly exports: Readonly<Record<string, unknown>>
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
}: TargetInput): Required<Pick<ContractTarget, keyof typeof TARGET_DEFAULTS>> & ContractTarget {
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
