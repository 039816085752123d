import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'

/** The TypeScript examples of a Markdown file, in their order. */
export function examplesOf(file: URL): string[] {
  return [...readFileSync(file, 'utf8').matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code ?? '')
}

const IMPORT = /^import (?:(\w+)|(\{[^}]*\})|(\w+), (\{[^}]*\})) from '([^']+)'$/gm

/**
 * Runs an example with the modules that it imports and the globals that its reader would have, and returns
 * the value of `result`, an expression over its names; `exported` is its default export. An import of a module that is not given is an error.
 */
export async function runExample(
  code: string,
  modules: Readonly<Record<string, object>>,
  globals: Readonly<Record<string, unknown>> = {},
  result = 'undefined',
): Promise<unknown> {
  const body = stripTypeScriptTypes(code)
    .replace(/^export default /gm, 'const exported = ')
    .replace(/^export /gm, '')
    .replace(IMPORT, (_, alone, names, both, more, module) => {
      if (!(module in modules)) throw new Error(`the example imports ${module}, which the test does not give`)
      const from = `modules[${JSON.stringify(module)}]`
      const defaultName = alone ?? both
      const named = names ?? more
      return [defaultName && `const ${defaultName} = ${from}.default`, named && `const ${named} = ${from}`]
        .filter(Boolean)
        .join('; ')
    })
  const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor
  return new AsyncFunction('modules', ...Object.keys(globals), `${body}\nreturn ${result}`)(
    modules,
    ...Object.values(globals),
  )
}
