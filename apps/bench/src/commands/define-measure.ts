import { availableParallelism, cpus } from 'node:os'
import { basename, isAbsolute } from 'node:path'
import { Command, type Option } from 'commander'
import type { Progress } from '../progress.ts'
import { renderMarkdown, type Section } from '../report/section.ts'

export interface Surroundings {
  readonly root: URL
  readonly stdout: NodeJS.WritableStream
  readonly stderr: NodeJS.WriteStream
  readonly now: () => Date
}

export interface Given {
  readonly data?: string
  readonly engines?: readonly string[]
  readonly budgets: readonly number[]
  readonly messages: readonly number[]
  readonly seed: number
  readonly json?: boolean
}

export interface BenchMeasure<Figures, Options = Given> {
  readonly description: string
  readonly options: readonly Option[]
  readonly examples?: string
  run(options: Options, around: Surroundings & { readonly progress: Progress }): Promise<Figures>
  sections(figures: Figures, made: Made): Section | Section[]
}

export const defineMeasure = <Figures, Options = Given>(
  measure: BenchMeasure<Figures, Options>,
): BenchMeasure<Figures, Options> => measure

export function measureCommand<Figures, Options>(
  name: string,
  { description, options, examples = '', ...measure }: BenchMeasure<Figures, Options>,
  around: Surroundings,
): Command {
  const command = new Command(name).description(description).addHelpText('after', examples)
  for (const option of options) command.addOption(option)
  return command
    .option('--json', 'print the figures instead of tables')
    .action(async (given: Options & Pick<Given, 'json'>) => {
      const progress = (text: string) => void around.stderr.write(`${text}\n`)
      const figures = await measure.run(given, { ...around, progress })
      const made: Made = {
        command: commandLine(command),
        date: around.now().toISOString().slice(0, 10),
        machine: describeMachine(),
      }
      around.stdout.write(
        given.json
          ? `${JSON.stringify({ bench: name, ...made, figures }, null, 2)}\n`
          : renderMarkdown(measure.sections(figures, made)),
      )
    })
}

/** Options that do not change figures; an address may contain a password. */
const LEFT_OUT = new Set(['json', 'baseUrl'])
const FOLDER = 'data'

function commandLine(command: Command): string {
  const given = command.options
    .map((option) => ({ name: option.attributeName(), flag: option.long }))
    .filter(({ name }) => command.getOptionValueSource(name) === 'cli' && !LEFT_OUT.has(name))
  return [
    `bench ${command.name()}`,
    ...given.map(({ name, flag }) => argument(flag ?? '', name, command.getOptionValue(name))),
  ].join(' ')
}

function argument(flag: string, name: string, value: unknown): string {
  if (value === true) return flag
  const isPlace = name === FOLDER || isAbsolute(String(value))
  const text = isPlace ? basename(String(value)) : String(value)
  return `${flag} ${/\s/.test(text) ? `"${text}"` : text}`
}

export interface Made {
  readonly command: string
  readonly date: string
  readonly machine: ReturnType<typeof describeMachine>
}

export function describeMachine() {
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
  }
}
