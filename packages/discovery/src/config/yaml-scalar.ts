import { parse } from 'yaml'

/**
 * A name as YAML writes it: in the quotes of the value that it replaces, else plain where every version of YAML
 * reads the plain text as a text (`on` and `null` are none), else in double quotes.
 *
 * @param name letters, digits and `-._/@` only.
 * @param replaced what the parser calls the style of the value before.
 */
export function yamlScalar(name: string, replaced?: string): string {
  if (replaced === 'QUOTE_SINGLE') return `'${name}'`
  const isPlain =
    replaced !== 'QUOTE_DOUBLE' &&
    /^[a-z]/.test(name) &&
    parse(name) === name &&
    parse(name, { version: '1.1' }) === name
  return isPlain ? name : `"${name}"`
}
