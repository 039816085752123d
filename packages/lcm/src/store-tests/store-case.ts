import type { SuiteCase, SuiteHarness, SuiteTarget } from '@palimpsest/sqlite-kit/store-suite'
import type { LcmStore } from '../store/lcm-store.ts'

/** One promise of the interface. */
export type StoreCase = SuiteCase<LcmStore>
export type StoreTarget = SuiteTarget<LcmStore>
export type StoreHarness = SuiteHarness<LcmStore>

/** Cases by their ids and titles. `*` behind an id: only for stores that can be opened again. */
export function defineCases(
  cases: Readonly<Record<string, (harness: StoreHarness) => Promise<void>>>,
): readonly StoreCase[] {
  return Object.entries(cases).map(([name, run]) => {
    const [, id = '', reopens, title = ''] = /^(S\d+)(\*?) (.*)$/.exec(name) ?? []
    return { id, title, ...(reopens === '*' && { requires: 'reopen' as const }), run }
  })
}
