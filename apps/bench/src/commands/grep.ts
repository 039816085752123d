import { grepSections } from '../grep/grep-sections.ts'
import type { GrepRow } from '../grep/run-grep.ts'
import { grepPage } from '../report/page/grep-page.ts'
import { defineMeasure } from './define-measure.ts'
import { DATA, openSessions, option, parseNumber } from './options.ts'

/** Facts of each session that are asked for. */
const CASES = 150

interface GrepOptions {
  readonly data?: string
  readonly seed: number
}

/** `bench grep`. */
export const grep = defineMeasure<readonly GrepRow[], GrepOptions>({
  description: 'whether lcm_grep finds a fact by words from near it, and with one of them replaced',
  options: [DATA, option('--seed <number>', 'which facts are asked for', parseNumber, 1)],
  async run({ data, seed }, { root, progress }) {
    const { runGrep } = await import('../grep/run-grep.ts')
    const { sessions } = await openSessions(data, root)
    return runGrep({ sessions, cases: CASES, seed, progress })
  },
  sections: grepSections,
  page: grepPage,
})
