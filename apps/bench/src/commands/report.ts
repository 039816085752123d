import { readFile, writeFile } from 'node:fs/promises'
import { Command } from 'commander'
import { pageSections } from '../report/page/page-sections.ts'
import { renderMarkdown } from '../report/render-markdown.ts'
import { joinRuns, longSections, type Runs, readRun } from '../report/runs.ts'
import { checkOutputs } from './check-outputs.ts'
import { UsageError } from './usage-error.ts'

interface ReportOptions {
  readonly page?: string
  readonly full?: string
}

/** `bench report`. */
export function reportCommand(): Command {
  return new Command('report')
    .description('makes the page of what --json files of the other commands hold')
    .argument('<files...>', 'one for each command; those of kept are put together')
    .option('--page <file>', 'the page: the tables that decide something')
    .option('--full <file>', 'all tables of the commands')
    .action(async (files: readonly string[], { page, full }: ReportOptions) => {
      checkOutputs({ '--page': page, '--full': full })
      if (page === undefined && full === undefined)
        throw new UsageError('report: name a file with --page or --full')
      const runs = await readRuns(files)
      if (page !== undefined) await writeFile(page, renderMarkdown(pageSections(runs)))
      if (full !== undefined) await writeFile(full, renderMarkdown(longSections(runs)))
    })
}

async function readRuns(files: readonly string[]): Promise<Runs> {
  const runs = []
  for (const file of files) {
    try {
      runs.push(readRun(await readFile(file, 'utf8')))
    } catch (cause) {
      throw new UsageError(`${file}: ${cause instanceof Error ? cause.message : cause}`)
    }
  }
  return joinRuns(runs)
}
