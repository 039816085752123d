import { errorText, type Message, PalimpsestError } from '@palimpsest/core'
import { type DecisionStore, verifyDecisions } from '@palimpsest/decisions'
import { type LcmStore, verifyStore } from '@palimpsest/lcm'
import { colors } from '../colors.ts'
import { counted } from '../count.ts'
import { type Configuration, loadConfiguration } from '../engines/configuration.ts'
import { DECISIONS, LCM_SUFFIX } from '../engines/decisions-options.ts'
import { LCM, principalOf } from '../engines/lcm-options.ts'
import { firstLines, printJson, printLines } from '../lcm/output.ts'
import { printable } from '../lcm/printable.ts'
import { EXIT_FOUND } from '../report-failure.ts'
import { engineStore } from '../serve/engine-store.ts'
import { servicePrincipal } from '../serve/run-serve.ts'
import { SERVE_BLOCK } from '../serve/serve-defaults.ts'
import { readServiceDatabase, type StoreFault } from '../serve/store/service-database.ts'
import { createServiceStore, engineKey, type ServiceStore } from '../serve/store/service-store.ts'
import { assertSameHistory } from '../serve/stored-history.ts'
import { systemMessage } from '../serve/system-prompt.ts'
import { nameTheStore, storePlace } from '../stores/find-store-place.ts'
import { openDecisionStore, openLcmStore } from '../stores/open-engine-store.ts'
import { besidePlace, isMissing, type StorePlace } from '../stores/store-place.ts'
import { UsageError } from '../usage-error.ts'

export interface VerifyStoresFlags {
  /** A file, or the address of a database. Default: `serve.store` of the configuration, or `store.url`. */
  readonly store?: string
  readonly config?: string
  readonly json?: boolean
}

/** A store, and what is wrong with it. */
export interface StoreReport {
  readonly kind: ServiceStorePlace['kind']
  /** Where it is, for people. */
  readonly store: string
  readonly faults: readonly StoreFault[]
}

/** `palimpsest verify`: all stores of a service. The exit code is 1 when something is not as it was stored. */
export async function verifyStores(flags: VerifyStoresFlags): Promise<number> {
  const configuration = await loadConfiguration(flags.config, process.cwd())
  const place = storePlace(SERVE_BLOCK, configuration, flags.store)
  if (place === undefined) throw new UsageError(nameTheStore(SERVE_BLOCK))
  if (isMissing(place))
    throw new UsageError(`there is no store ${place.name}; palimpsest serve --store makes one`)
  const reports = await proveStores(serviceStores(place, configuration))
  if (reports.length === 0) throw new UsageError(`there is no store in ${place.name} that this user may see`)
  const [only] = reports.length === 1 ? reports : []
  // With other stores beside it, it was one, and is damaged.
  const [fault] = only?.faults ?? []
  if (only?.kind === 'sessions' && fault?.code === 'not-a-store') throw new UsageError(fault.message)
  const count = reports.reduce((sum, { faults }) => sum + faults.length, 0)
  if (flags.json) printJson({ ok: count === 0, stores: reports })
  else printReports(reports)
  return count === 0 ? 0 : EXIT_FOUND
}

function printReports(reports: readonly StoreReport[]): void {
  for (const { kind, store, faults } of reports) {
    const verdict =
      faults.length === 0 ? colors.green('no fault') : colors.red(counted(faults.length, 'fault'))
    printLines(`${store} (${kind}): ${verdict}`)
    printLines(
      ...firstLines(faults.map(({ code, message }) => `  ${colors.red(code)}  ${printable(message)}`)),
    )
  }
}

/** Proves stores. Those of engines come before the sessions, which are held against them. */
export async function proveStores(places: readonly ServiceStorePlace[]): Promise<StoreReport[]> {
  const opened: OpenedEngineStore[] = []
  const reports: StoreReport[] = []
  try {
    for (const at of places.toReversed()) {
      const faults = await faultsOf(at, opened)
      if (faults !== undefined) reports.unshift({ kind: at.kind, store: at.place.name, faults })
    }
    return reports
  } finally {
    await Promise.all(opened.map(({ store }) => store.close()))
  }
}

interface OpenedEngineStore extends Pick<ServiceStorePlace, 'principal' | 'isOwn'> {
  readonly engine: 'decisions' | 'lcm'
  readonly store: DecisionStore | LcmStore
}

/** Undefined when there is no such store in the database. */
async function faultsOf(
  at: ServiceStorePlace,
  opened: OpenedEngineStore[],
): Promise<StoreFault[] | undefined> {
  try {
    return await proveStore(at, opened)
  } catch (error) {
    if (!PalimpsestError.isInstance(error)) throw error
    if (error.code === 'STORE_BUSY')
      throw new UsageError(`${errorText(error)}: stop the service that has it, or verify a copy`, {
        cause: error,
      })
    if (error.code === 'NOT_A_STORE' && at.place.kind === 'postgres') return undefined
    return [faultFrom(error)]
  }
}

async function proveStore(
  { kind, place, principal, isOwn }: ServiceStorePlace,
  opened: OpenedEngineStore[],
): Promise<StoreFault[]> {
  if (kind === 'sessions') {
    const database = await readServiceDatabase(place, principal)
    return proveSessions(createServiceStore(database), opened)
  }
  if (kind === 'decisions') {
    const store = await openDecisionStore(place, 'check')
    opened.push({ engine: kind, store, principal, isOwn })
    const { faults } = await verifyDecisions(store)
    return faults.map(({ code, message, session }) => ({ code, message: about(session, message) }))
  }
  const store = await openLcmStore(place, 'check')
  opened.push({ engine: kind, store, principal, isOwn })
  const faults = await verifyStore(store)
  return faults.map(({ code, message, key }) => ({ code, message: about(key, message) }))
}

function about(session: string | undefined, message: string): string {
  return session === undefined ? message : `${session}: ${message}`
}

/** The record, and whether the engines have stored the same. */
async function proveSessions(
  store: ServiceStore,
  opened: readonly OpenedEngineStore[],
): Promise<StoreFault[]> {
  try {
    const faults = await store.faults()
    if (faults.length > 0) return faults
    for (const record of await store.conversations()) {
      const messages: Message[] = await store.messages(record.no)
      const list = [systemMessage(record.system), ...messages]
      for (const { engine, store, principal } of opened.filter(({ isOwn }) => isOwn))
        await assertSameHistory({ engine, store, ref: { principal, key: engineKey(record) } }, list).catch(
          (error) => faults.push(faultFrom(error)),
        )
    }
    return faults
  } finally {
    await store.close()
  }
}

/** An error as a fault. @throws what is no error of a store. */
function faultFrom(error: unknown): StoreFault {
  if (!PalimpsestError.isInstance(error)) throw error
  return { code: error.code.toLowerCase().replaceAll('_', '-'), message: errorText(error) }
}

/** One of the stores that a service keeps. */
interface ServiceStorePlace {
  readonly kind: 'sessions' | 'decisions' | 'lcm'
  readonly place: StorePlace
  /** Whose rows they are. */
  readonly principal: string
  /** Whether it is certain that it is this service's: one that a block names may have sessions of others by the same names. */
  readonly isOwn: boolean
}

/**
 * The stores of a service that are there: its sessions, and those of the engines that it may have run
 * with, each where its own block of the configuration puts it, else beside the sessions.
 */
export function serviceStores(service: StorePlace, configuration: Configuration): ServiceStorePlace[] {
  const { engines } = configuration.config
  const placeOf = (engine: string) => engineStore(engine, configuration, service).place ?? service
  const decisions = {
    kind: DECISIONS,
    place: placeOf(DECISIONS),
    principal: principalOf(engines[DECISIONS] ?? {}),
  } as const
  const principal = servicePrincipal(configuration)
  const own = principalOf(engines[LCM] ?? {})
  const inner = principalOf({ principal: decisions.principal, ...engines[LCM] })
  const all: Omit<ServiceStorePlace, 'isOwn'>[] = [
    { kind: 'sessions', place: service, principal },
    decisions,
    { kind: LCM, place: besidePlace(decisions.place, LCM_SUFFIX), principal: inner },
    { kind: LCM, place: placeOf(LCM), principal: own },
  ]
  const seen = new Set<string>()
  return all
    .filter(({ kind, place }) => {
      const name = `${kind} ${place.name}`
      const isNew = !seen.has(name)
      seen.add(name)
      return isNew && !isMissing(place)
    })
    .map((at) => ({ ...at, isOwn: at.place.name.startsWith(service.name) }))
}
