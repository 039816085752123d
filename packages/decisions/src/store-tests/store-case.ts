import type { SuiteCase, SuiteHarness, SuiteTarget } from '@palimpsest/sqlite-kit/store-suite'
import type { DecisionStore } from '../store/decision-store.ts'

/** One promise of the interface. */
export type StoreCase = SuiteCase<DecisionStore>
/** A store as its author hands it to the suite. */
export type StoreTarget = SuiteTarget<DecisionStore>
export type StoreHarness = SuiteHarness<DecisionStore>
