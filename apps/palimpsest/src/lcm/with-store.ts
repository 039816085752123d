import { type LcmStore, StoreError } from '@palimpsest/lcm'
import { checkLcmOptions, LCM } from '../engines/lcm-options.ts'
import { openLcmStore, type StoreAccess } from '../stores/open-engine-store.ts'
import { type Opened, type StoreFlags, type StoreKind, withStoreOf } from '../stores/with-store.ts'

export type { StoreFlags }
export type OpenedStore = Opened<LcmStore>

/** Advice for damage below the tables, where nothing can be mended. */
export const DAMAGE_ADVICE =
  'take an older copy, or export what can be read: palimpsest lcm export --session <id>'

const LCM_STORES: StoreKind<LcmStore> = {
  engine: LCM,
  open: openLcmStore,
  check: async (configuration) => void (await checkLcmOptions(configuration)),
  advice: 'palimpsest lcm import <session files…> makes one',
  damage: (error, { name }) =>
    StoreError.isInstance(error) && error.code === 'STORE_CORRUPT'
      ? `${name} is damaged (${damageOf(error)}); ${DAMAGE_ADVICE}`
      : undefined,
}

/** Runs on a store of lcm. */
export function withStore<T>(
  flags: StoreFlags,
  access: StoreAccess,
  run: (opened: OpenedStore) => Promise<T>,
): Promise<T> {
  return withStoreOf(LCM_STORES, flags, access, run)
}

/** The words of SQLite, if the damage was seen there. */
function damageOf(error: Error): string {
  return error.cause instanceof Error ? error.cause.message : error.message
}
