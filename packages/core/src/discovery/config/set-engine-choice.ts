import { type Document, isMap } from 'yaml'
import { InvalidOptionError } from '../../errors/errors.ts'
import { equalValues } from '../../messages/equal-values.ts'
import { isObject } from '../../messages/loose.ts'
import { describeInvalidChoice, isPackageName } from './package-name.ts'
import { readYaml } from './read-yaml.ts'

/**
 * The text of a `config.yaml` with `context.engine` set to a name. Comments and quotes stay; indents become two spaces. The
 * result is read back before it is returned.
 *
 * @throws InvalidOptionError for a name that no engine or package can have, for a text that is no configuration, and
 * for YAML in which another value would change with this one, with what to write by hand.
 */
export function setEngineChoice(
  text: string,
  name: string,
  { fileName = 'config.yaml' }: { readonly fileName?: string } = {},
): string {
  if (!isPackageName(name)) throw new InvalidOptionError('context.engine', describeInvalidChoice(name))
  const { document, content } = readYaml(text, { fileName })
  const context = content.context ?? {}
  if (!isObject(context))
    throw new InvalidOptionError('context', `context: expected keys such as "engine:" in ${fileName}`)
  const wanted = { ...content, context: { ...context, engine: name } }
  if (equalValues(content, wanted)) return text
  try {
    setEngine(document, context, name)
    const written = document.toString({ lineWidth: 0 })
    const edited = text.includes('\r\n') ? written.replaceAll('\n', '\r\n') : written
    if (equalValues(readYaml(edited, { fileName }).content, wanted)) return edited
  } catch {
    // YAML that its own writer does not take.
  }
  throw new InvalidOptionError(
    'context.engine',
    `${fileName} is written in a way that cannot be edited here; set context.engine to "${name}" by hand`,
  )
}

/** A block that is empty or an alias is written out. */
function setEngine(document: Document, context: object, name: string): void {
  const root = document.contents
  if (!isMap(root)) document.contents = document.createNode({ context: { engine: name } })
  else if (isMap(root.get('context', true))) root.setIn(['context', 'engine'], name)
  else root.set('context', document.createNode({ ...context, engine: name }))
}
