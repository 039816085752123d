import type { SuiteCase, SuiteHarness, SuiteTarget } from '@palimpsest/sqlite-kit/store-suite'
import type { LcmStore } from '../store/lcm-store.ts'

/** One promise of the interface. */
export type StoreCase = SuiteCase<LcmStore>
export type StoreTarget = SuiteTarget<LcmStore>
export type StoreHarness = SuiteHarness<LcmStore>
