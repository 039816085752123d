import type { Configuration } from './configuration.ts'

/** Why a session has the engine that it has, as what stands behind its name in a line for people. */
export function engineOrigin(
  { isNamed, path }: Pick<Configuration, 'isNamed' | 'path'>,
  flag: string | undefined,
  byDefault: string,
): string {
  if (flag !== undefined) return ', named by --engine'
  return isNamed ? `, named in ${path}` : `: ${byDefault}; context.engine names another`
}
