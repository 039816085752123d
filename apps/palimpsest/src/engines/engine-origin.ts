import type { Configuration } from './configuration.ts'

/** Why a session has the engine `name`, as what stands behind that in a line for people. */
export function engineOrigin(
  name: string,
  { isNamed, choice, path }: Pick<Configuration, 'isNamed' | 'choice' | 'path'>,
  flag: string | undefined,
  byDefault: string,
): string {
  if (flag !== undefined) return ', named by --engine'
  if (isNamed && choice !== name) return `, in the place of ${choice}, which ${path} names`
  return isNamed ? `, named in ${path}` : `: ${byDefault}; context.engine names another`
}
