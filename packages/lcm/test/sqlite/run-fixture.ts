import { type Ended, runScript } from '../../../core/test/sqlite/run-script.ts'

/** Runs a script of the folder `fixtures` as a process of its own. */
export function runFixture(name: string, ...values: readonly (string | number)[]): Promise<Ended> {
  return runScript(new URL(`./fixtures/${name}.ts`, import.meta.url), ...values)
}
