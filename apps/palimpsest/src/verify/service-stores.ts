import type { Configuration } from '../engines/configuration.ts'
import { DECISIONS, LCM_SUFFIX } from '../engines/decisions-options.ts'
import { LCM, principalOf } from '../engines/lcm-options.ts'
import { engineStore } from '../serve/engine-store.ts'
import { GATEWAY_SUFFIX } from '../serve/gateway/conversation-index/open-index.ts'
import { servicePrincipal } from '../serve/run-serve.ts'
import { besidePlace, isMissing, type StorePlace } from '../stores/store-place.ts'

/** One of the stores that a service keeps. */
export interface ServiceStorePlace {
  readonly kind: 'sessions' | 'gateway' | 'decisions' | 'lcm'
  readonly place: StorePlace
  /** Whose rows they are. */
  readonly principal: string
  /** Whether it is certain that it is this service's: one that a block names may have sessions of others by the same names. */
  readonly isOwn: boolean
}

/**
 * The stores of a service that are there: its sessions, the gateway's index, and those of the engines that it may have run
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
    // In a database, nothing of it can be told right or wrong.
    ...(service.kind === 'file'
      ? ([{ kind: 'gateway', place: besidePlace(service, GATEWAY_SUFFIX), principal }] as const)
      : []),
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
