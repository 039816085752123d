import { isAbsolute } from 'node:path'
import { InvalidOptionError, isEngineName } from '@palimpsest/core'
import { DEFAULT_ENGINE } from '../config/default-engine.ts'
import type { EngineDiscoveryOptions } from './discovery-types.ts'

/** What timers can wait, in milliseconds. */
const MAX_TIMEOUT = 2 ** 31 - 1

type CheckedOptions = Required<Omit<EngineDiscoveryOptions, 'userRoot'>> & {
  readonly userRoot: string | undefined
}

/** @throws InvalidOptionError for what a host can get wrong. */
export function checkDiscoveryOptions(options: CheckedOptions): void {
  const { root, userRoot, builtIn, loadTimeoutMs } = options
  if (typeof root !== 'string' || !isAbsolute(root))
    throw new InvalidOptionError('root', 'root must be the absolute path of the folder of config.yaml')
  if (userRoot !== undefined && (typeof userRoot !== 'string' || !isAbsolute(userRoot)))
    throw new InvalidOptionError('userRoot', "userRoot must be the absolute path of the user's folder")
  const names = builtIn.map(({ name }) => name)
  const wrong = names.find((name, index) => !isEngineName(name) || names.indexOf(name) < index)
  if (wrong !== undefined)
    throw new InvalidOptionError(
      'builtIn',
      `builtIn: the name "${wrong}" must be kebab-case and stand there once`,
    )
  if (!names.includes(DEFAULT_ENGINE))
    throw new InvalidOptionError('builtIn', `builtIn must contain the engine "${DEFAULT_ENGINE}"`)
  if (!(loadTimeoutMs > 0 && loadTimeoutMs <= MAX_TIMEOUT))
    throw new InvalidOptionError('loadTimeoutMs', `loadTimeoutMs must be above 0 and at most ${MAX_TIMEOUT}`)
}
