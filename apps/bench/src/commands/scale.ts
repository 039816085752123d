import { tmpdir } from 'node:os'
import { Option } from 'commander'
import { runScale, type ScaleReport } from '../scale/run-scale.ts'
import { scaleSections } from '../scale/scale-sections.ts'
import { defineMeasure } from './define-measure.ts'
import { option, parseNumber, SEED } from './options.ts'
import { UsageError } from './usage-error.ts'

const EXAMPLES = `
Examples:
  bench scale --messages 20000 --sessions 100     a minute or two
  bench scale --report docs/scale-figures.md      a million messages: half an hour, 15 GB in the folder for temporary
                                                  files, or in the database that is named
  bench scale --url postgres://me@host/database   on a server that is there, in schemas of its own, which are dropped

Without --url, the server of PALIMPSEST_TEST_POSTGRES_URL is used; without that, one is started from the programs on
this machine, with the durability that PostgreSQL has by default, and removed at the end.`

/** Fewer messages do not make a session with summaries. */
const LEAST_LENGTH = 200

interface ScaleOptions {
  readonly url?: string
  readonly messages: number
  readonly sessions: number
  readonly seed: number
}

export const scale = defineMeasure<ScaleReport, ScaleOptions>({
  description:
    'what the lossless engine costs on PostgreSQL, up to a million messages in a thousand sessions',
  options: [
    new Option('--url <url>', 'a server to measure on, such as postgres://user@host/database'),
    option('--messages <number>', 'messages of the largest store', parseNumber, 1_000_000),
    option('--sessions <number>', 'sessions of the largest store', parseNumber, 1_000),
    SEED,
    new Option('--report <file>', 'a page of Markdown'),
  ],
  examples: EXAMPLES,
  async run({ messages, sessions, seed, url = process.env.PALIMPSEST_TEST_POSTGRES_URL }, { progress }) {
    if (messages / sessions < LEAST_LENGTH)
      throw new UsageError(`--messages: use at least ${LEAST_LENGTH} for each session`)
    const program = process.argv[1] ?? ''
    return runScale({ url, messages, sessions, seed, program, folder: tmpdir(), progress })
  },
  sections: scaleSections,
})
