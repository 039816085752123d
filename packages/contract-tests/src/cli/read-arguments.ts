import { parseArgs } from 'node:util'
import { ENGINE_CAPABILITIES, type EngineCapability, errorText } from '@palimpsest/core'

/** The call was wrong, or what it names is no engine: its message says what would be right. */
export class UsageError extends Error {}

export type ReportFormat = 'people' | 'tap' | 'json'

/** Cases to run, or to list. */
export interface CasesRequest {
  readonly command: 'run' | 'list'
  /** Undefined only where all cases are listed. */
  readonly module: string | undefined
  /** Ids, ranges and prefixes as they were typed. */
  readonly cases: readonly string[]
  readonly options: Readonly<Record<string, unknown>>
  readonly expect: readonly EngineCapability[]
  readonly seed: number | undefined
  readonly runs: number | undefined
  /** The time limit of one case, in milliseconds. */
  readonly caseTimeout: number | undefined
  readonly format: ReportFormat
  /** Whether people hear what the cases tell too. */
  readonly verbose: boolean
}

/** The request to the command. */
export type Request = { readonly command: 'help' } | { readonly command: 'version' } | CasesRequest

const FLAGS = {
  options: { type: 'string' },
  expect: { type: 'string' },
  seed: { type: 'string' },
  runs: { type: 'string' },
  'case-timeout': { type: 'string' },
  list: { type: 'boolean' },
  json: { type: 'boolean' },
  tap: { type: 'boolean' },
  verbose: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const

/**
 * Reads the arguments of the command.
 *
 * @throws UsageError
 */
export function readArguments(args: readonly string[]): Request {
  const { values, positionals } = parse(args)
  if (values.help === true) return { command: 'help' }
  if (values.version === true) return { command: 'version' }
  const [module, ...cases] = positionals
  if (module === undefined && values.list !== true)
    throw new UsageError('which module? Try: palimpsest-contract ./dist/index.js (and --help for more)')
  if (values.json === true && values.tap === true) throw new UsageError('--json and --tap exclude each other')
  if (values.list === true && (values.json === true || values.tap === true))
    throw new UsageError('--list is for people: leave out --json and --tap')
  return {
    command: values.list === true ? 'list' : 'run',
    module,
    cases,
    options: readOptions(values.options),
    expect: readCapabilities(values.expect),
    seed: readInteger('--seed', values.seed, -(2 ** 31), 2 ** 31 - 1),
    runs: readInteger('--runs', values.runs, 1, 1_000_000),
    // A timer takes 2 ** 31 - 1 at most, and the command waits a little longer than a case.
    caseTimeout: readInteger('--case-timeout', values['case-timeout'], 1_000, 1_000_000_000),
    format: values.json === true ? 'json' : values.tap === true ? 'tap' : 'people',
    verbose: values.verbose === true,
  }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: FLAGS, allowPositionals: true, strict: true })
  } catch (error) {
    // Node goes on about positional arguments that look like flags: nothing of this command does.
    const [text = ''] = errorText(error).split('. To specify a positional')
    throw new UsageError(`${text.replaceAll('\n', ' ').replace(/\.$/, '')}; --help shows what there is`)
  }
}

function readOptions(json: string | undefined): Readonly<Record<string, unknown>> {
  if (json === undefined) return {}
  let options: unknown
  try {
    options = JSON.parse(json)
  } catch (error) {
    throw new UsageError(`--options is not JSON: ${errorText(error)}`)
  }
  if (typeof options === 'object' && options !== null && !Array.isArray(options)) return { ...options }
  throw new UsageError(`--options must be a JSON object, such as '{"threshold": 0.5}'`)
}

function readCapabilities(list: string | undefined): EngineCapability[] {
  const names = (list ?? '').split(',').map((name) => name.trim())
  return names.filter((name) => name !== '').map((name) => readCapability(name))
}

function readCapability(name: string): EngineCapability {
  const known = ENGINE_CAPABILITIES.find((capability) => capability === name)
  if (known !== undefined) return known
  throw new UsageError(
    `--expect does not know ${JSON.stringify(name)}; there are ${ENGINE_CAPABILITIES.join(', ')}`,
  )
}

function readInteger(flag: string, text: string | undefined, min: number, max: number): number | undefined {
  if (text === undefined) return undefined
  const value = Number(text)
  if (text.trim() !== '' && Number.isSafeInteger(value) && value >= min && value <= max) return value
  throw new UsageError(`${flag} must be a whole number from ${min} to ${max}, not ${JSON.stringify(text)}`)
}
