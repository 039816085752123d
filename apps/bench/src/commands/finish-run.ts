import type { Command } from 'commander'
import { describeMachine } from '../report/machine.ts'
import { renderTerminal } from '../report/render-terminal.ts'
import type { Figures, Measured, Run } from '../report/run.ts'
import { readVersions } from '../report/versions.ts'
import { commandLine } from './command-line.ts'
import type { Surroundings } from './surroundings.ts'
import { writeJson } from './write-json.ts'

/** Writes what a command measured to the file of `--json`, and prints its tables. */
export async function finishRun<Name extends Measured>(
  bench: Name,
  figures: Figures[Name],
  command: Command,
  { root, stdout, now }: Surroundings,
): Promise<void> {
  const run: Run<Name> = {
    bench,
    command: commandLine(command),
    date: now().toISOString().slice(0, 10),
    machine: describeMachine(),
    versions: await readVersions(root),
    figures,
  }
  await writeJson(command.getOptionValue('json'), run)
  const { sectionsOf } = await import('../report/long-sections.ts')
  stdout.write(renderTerminal(sectionsOf(bench, figures)))
}
