import { readFile } from 'node:fs/promises'
import { availableParallelism, cpus, release, totalmem } from 'node:os'
import { basename, isAbsolute } from 'node:path'
import { Command, type Option } from 'commander'
import { createProgress, type Progress } from '../progress.ts'
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
      const figures = await measure.run(given, { ...around, progress: createProgress(around.stderr) })
      const made: Made = {
        command: commandLine(command),
        date: around.now().toISOString().slice(0, 10),
        machine: describeMachine(),
        versions: await readVersions(around.root),
      }
      around.stdout.write(
        given.json
          ? `${JSON.stringify({ bench: name, ...made, figures }, null, 2)}
`
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
  readonly versions: Readonly<Record<string, string>>
}

export function describeMachine() {
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memory: totalmem(),
    platform: `${process.platform} ${process.arch}, ${release()}`,
  }
}

const MEASURED = /^(@palimpsest\/|langchain$|@langchain\/|ai$)/

async function readVersions(root: URL): Promise<Record<string, string>> {
  const { dependencies = {} } = await readManifest(root)
  const names = Object.keys(dependencies)
    .filter((name) => MEASURED.test(name))
    .sort()
  const packages = await Promise.all(
    names.map(async (name): Promise<[string, string]> => {
      const { version = 'unknown' } = await readManifest(new URL(`node_modules/${name}/`, root))
      return [name, version]
    }),
  )
  return {
    node: process.versions.node,
    sqlite: process.versions.sqlite ?? 'none',
    ...Object.fromEntries(packages),
  }
}

type Manifest = { readonly version?: string; readonly dependencies?: Readonly<Record<string, string>> }

async function readManifest(folder: URL): Promise<Manifest> {
  return JSON.parse(await readFile(new URL('package.json', folder), 'utf8'))
}
