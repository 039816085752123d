import { type EngineDefinition, isEngineDefinition } from '@palimpsest/core'
import { type ContractHost, type ContractTarget, TARGET_DEFAULTS } from '../contract-target.ts'
import { failureText } from '../run-suite.ts'
import { type Call, UsageError } from './read-arguments.ts'

export type CompleteTarget = ContractTarget & Required<Pick<ContractTarget, keyof typeof TARGET_DEFAULTS>>

type TargetSettings = Pick<Call, 'options' | 'seed' | 'runs' | 'caseTimeout'>

/**
 * Loads a module's target: its own `ContractTarget`, or one for the engine that it exports.
 *
 * @param label The module's name in messages.
 * @throws UsageError with the reason.
 */
export async function loadTarget(
  url: string,
  label: string,
  settings: TargetSettings,
): Promise<CompleteTarget> {
  let exports: Readonly<Record<string, unknown>>
  try {
    exports = await import(url)
  } catch (error) {
    throw new UsageError(`${label} threw while it was loaded: ${failureText(error)}`)
  }
  return readTarget(exports, label, settings)
}

export function readTarget(
  exports: Readonly<Record<string, unknown>>,
  label: string,
  { options, seed, runs, caseTimeout }: TargetSettings,
): CompleteTarget {
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
    ...(target.store && { store: target.store.bind(target) }),
    ...(target.recall && { recall: target.recall.bind(target) }),
    expectCapabilities,
    ...(skip && { skip }),
    seed: seed ?? target.seed ?? TARGET_DEFAULTS.seed,
    propertyRuns: runs ?? target.propertyRuns ?? TARGET_DEFAULTS.propertyRuns,
    caseTimeoutMs: caseTimeout ?? target.caseTimeoutMs ?? TARGET_DEFAULTS.caseTimeoutMs,
  }
}

function exportedTarget(exports: Readonly<Record<string, unknown>>, label: string): ContractTarget {
  const exported = exports.contractTarget ?? exports.default
  if (isEngineDefinition(exported)) return targetOf(exported, label)
  const { name, create, apiVersion, expectCapabilities } = Object(exported)
  if (apiVersion !== undefined)
    throw new UsageError(
      `${label} exports an engine that defineContextEngine() did not make; wrap it in a call of that`,
    )
  if (typeof name === 'string' && typeof create === 'function' && Array.isArray(expectCapabilities))
    return exported as ContractTarget
  throw new UsageError(
    `${label} exports no engine, only ${Object.keys(exports).join(', ') || 'nothing'}; it should export by default what defineContextEngine() returns, or a ContractTarget with name, create and expectCapabilities`,
  )
}

function targetOf(definition: EngineDefinition, label: string): ContractTarget {
  const { name, apiVersion } = definition
  if (apiVersion !== 1)
    throw new UsageError(
      `the engine of ${label} has apiVersion ${String(apiVersion)}; this suite tests apiVersion 1: install a suite for it`,
    )
  return {
    name,
    create: (host) => definition.create({ ...host.options }, host),
    expectCapabilities: [],
  }
}

/** A placeholder in options for the storage folder of a case. */
const STORAGE = '{storage}'

function fillPlaceholder(
  options: Readonly<Record<string, unknown>>,
  storage: string,
): Record<string, unknown> {
  return JSON.parse(JSON.stringify(options), (_, value: unknown) =>
    typeof value === 'string' ? value.replaceAll(STORAGE, () => storage) : value,
  )
}
