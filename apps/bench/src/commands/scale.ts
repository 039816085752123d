import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { Command } from 'commander'
import { createProgress } from '../progress.ts'
import { renderMarkdown } from '../report/render-markdown.ts'
import { renderTerminal } from '../report/render-terminal.ts'
import { checkOutputs } from './check-outputs.ts'
import { parseCount, parseNumber } from './parse-options.ts'
import type { Surroundings } from './surroundings.ts'
import { UsageError } from './usage-error.ts'
import { writeJson } from './write-json.ts'

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
  readonly json?: string
  readonly report?: string
}

/** `bench scale`. */
export function scaleCommand({ stdout, stderr, now }: Surroundings): Command {
  return new Command('scale')
    .description(
      'what the lossless engine costs on PostgreSQL, up to a million messages in a thousand sessions',
    )
    .option('--url <url>', 'a server to measure on, such as postgres://user@host/database')
    .option('--messages <number>', 'messages of the largest store', parseNumber, 1_000_000)
    .option('--sessions <number>', 'sessions of the largest store', parseNumber, 1_000)
    .option('--seed <number>', 'seed of the generated conversations', parseCount, 1)
    .option('--json <file>', 'write the figures to a file too')
    .option('--report <file>', 'a page of Markdown')
    .addHelpText('after', EXAMPLES)
    .action(async ({ json, report: page, ...options }: ScaleOptions) => {
      checkOutputs({ '--json': json, '--report': page })
      const { messages, sessions, seed, url = process.env.PALIMPSEST_TEST_POSTGRES_URL } = options
      if (messages / sessions < LEAST_LENGTH)
        throw new UsageError(`--messages: use at least ${LEAST_LENGTH} for each session`)
      const { runScale } = await import('../scale/run-scale.ts')
      const { scaleSections } = await import('../scale/scale-sections.ts')
      const figures = await runScale({
        ...{ url, messages, sessions, seed },
        program: process.argv[1] ?? '',
        folder: tmpdir(),
        progress: createProgress(stderr),
      })
      const report = {
        ...figures,
        // An address is nobody else's business.
        command: `pnpm bench scale --messages ${messages} --sessions ${sessions} --seed ${seed}`,
        date: now().toISOString().slice(0, 10),
      }
      await writeJson(json, report)
      const sections = scaleSections(report)
      if (page !== undefined) await writeFile(page, renderMarkdown(sections))
      stdout.write(renderTerminal(sections))
    })
}
