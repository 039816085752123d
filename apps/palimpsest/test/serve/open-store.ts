import { openServiceDatabase } from '../../src/serve/store/service-database.ts'
import { createServiceStore, type ServiceStore } from '../../src/serve/store/service-store.ts'
import type { StorePlace } from '../../src/stores/store-place.ts'

/** The record of a service, as the service opens it. */
export async function openStore(place: StorePlace | undefined, principal = 'local'): Promise<ServiceStore> {
  return createServiceStore(await openServiceDatabase(place, principal))
}
