import { InvalidOptionError } from '../../errors/invalid-option-error.ts'
import { equalValues } from '../../messages/equal-values.ts'
import { engineEdits } from './engine-edits.ts'
import { describeInvalidChoice, isPackageName } from './package-name.ts'
import { readYaml } from './read-yaml.ts'
import { applyEdits } from './yaml-edits.ts'

/**
 * The text of a `config.yaml` with `context.engine` set to a name. Every other byte stays. Only an alias to a value
 * that would change with the engine is written out. The result is read back before it is returned.
 *
 * @throws InvalidOptionError for a name that no engine or package can have, for a text that is no configuration, and
 * for YAML in which the place cannot be found, with what to write by hand.
 */
export function setEngineChoice(
  text: string,
  name: string,
  { fileName = 'config.yaml' }: { readonly fileName?: string } = {},
): string {
  if (!isPackageName(name)) throw new InvalidOptionError('context.engine', describeInvalidChoice(name))
  const { document, content } = readYaml(text, { fileName })
  const context = content.context ?? {}
  if (typeof context !== 'object' || Array.isArray(context))
    throw new InvalidOptionError('context', `context: expected keys such as "engine:" in ${fileName}`)
  const wanted = { ...content, context: { ...context, engine: name } }
  if (equalValues(content, wanted)) return text
  const edited = applyEdits(text, engineEdits({ text, document, context, name }))
  if (!hasContent(edited, wanted))
    throw new InvalidOptionError(
      'context.engine',
      `${fileName} is written in a way that cannot be edited here; set context.engine to "${name}" by hand`,
    )
  return edited
}

function hasContent(text: string, wanted: unknown): boolean {
  try {
    return equalValues(readYaml(text, { fileName: '' }).content, wanted)
  } catch {
    return false
  }
}
