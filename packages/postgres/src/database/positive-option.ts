import { InvalidOptionError } from '@palimpsest/core'
import { POSTGRES_DEFAULTS, type PostgresOptions } from '../postgres-options.ts'
import { SPARE_TIME } from './send-statement.ts'

const MAX_OPTION = 2 ** 31 - 1 - SPARE_TIME

export function positiveOption(
  name: 'poolSize' | 'connectTimeout' | 'statementTimeout',
  options: Pick<PostgresOptions, typeof name>,
): number {
  const value = options[name] ?? POSTGRES_DEFAULTS[name]
  if (Number.isInteger(value) && value >= 1 && value <= MAX_OPTION) return value
  throw new InvalidOptionError(name, `${name}: expected a whole number from 1 on, but got ${String(value)}`)
}
