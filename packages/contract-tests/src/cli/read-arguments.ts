import { parseArgs } from 'node:util'
import { errorText } from '@palimpsest/core'

export class UsageError extends Error {}

export interface Call {
  readonly module: string | undefined
  readonly cases: readonly string[]
  readonly options: Readonly<Record<string, unknown>>
  readonly seed: number | undefined
  readonly runs: number | undefined
  readonly caseTimeout: number | undefined
  readonly list: boolean
  readonly json: boolean
}

const FLAGS = {
  options: { type: 'string' },
  seed: { type: 'string' },
  runs: { type: 'string' },
  'case-timeout': { type: 'string' },
  list: { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const

export function readArguments(args: readonly string[]): Call | 'help' | 'version' {
  const { values, positionals } = parse(args)
  if (values.help === true) return 'help'
  if (values.version === true) return 'version'
  const [module, ...cases] = positionals
  if (module === undefined && values.list !== true)
    throw new UsageError('which module? Try: palimpsest-contract ./dist/index.js (and --help for more)')
  return {
    module,
    cases,
    options: readOptions(values.options),
    seed: readInteger('--seed', values.seed, -(2 ** 31), 2 ** 31 - 1),
    runs: readInteger('--runs', values.runs, 1, 1_000_000),
    caseTimeout: readInteger('--case-timeout', values['case-timeout'], 1_000, 2 ** 31 - 1),
    list: values.list === true,
    json: values.json === true,
  }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: FLAGS, allowPositionals: true, strict: true })
  } catch (error) {
    // Node's message continues about positional arguments that look like flags, which this command lacks.
    const [text = ''] = errorText(error).split('. To specify a positional')
    throw new UsageError(`${text.replaceAll('\n', ' ').replace(/\.$/, '')}; --help shows what there is`)
  }
}

function readOptions(json = '{}'): Readonly<Record<string, unknown>> {
  let options: unknown
  try {
    options = JSON.parse(json)
  } catch (error) {
    throw new UsageError(`--options is not JSON: ${errorText(error)}`)
  }
  if (typeof options === 'object' && options !== null && !Array.isArray(options)) return { ...options }
  throw new UsageError(`--options must be a JSON object, such as '{"threshold": 0.5}'`)
}

function readInteger(flag: string, text: string | undefined, min: number, max: number): number | undefined {
  if (text === undefined) return undefined
  const value = Number(text)
  if (text.trim() !== '' && Number.isSafeInteger(value) && value >= min && value <= max) return value
  throw new UsageError(`${flag} must be a whole number from ${min} to ${max}, not ${JSON.stringify(text)}`)
}
