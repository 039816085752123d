import type { SuiteCase, SuiteHarness, SuiteTarget } from '@palimpsest/sqlite-kit/store-suite'
import type { LcmStore } from '../store/lcm-store.ts'

/** One promise of the interface. */
export type StoreCase = SuiteCase<LcmStore>
/** A store as its author hands it to the suite. */
export type StoreTarget = SuiteTarget<LcmStore>
/** The harness of a case. */
export type StoreHarness = SuiteHarness<LcmStore>
