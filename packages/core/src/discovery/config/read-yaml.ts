import { type Document, isMap, isScalar, parseDocument, type YAMLError } from 'yaml'
import { errorText, InvalidOptionError } from '../../errors/errors.ts'
import { equalValues, isObject } from '../../messages/json-value.ts'

/** npm's limit, in characters (the "name" rules of package.json). */
const MAX_LENGTH = 214

const PACKAGE_NAME = /^(?:@[a-z0-9-][a-z0-9._-]*\/)?[a-z0-9-][a-z0-9._-]*$/

/** True for a valid npm package name, scoped or not. A valid name is safe as a path below `node_modules`. */
export function isPackageName(name: unknown): name is string {
  return (
    typeof name === 'string' &&
    name.length <= MAX_LENGTH &&
    name !== 'node_modules' &&
    PACKAGE_NAME.test(name)
  )
}

const MAX_SHOWN = 80

export function describeInvalidChoice(choice: unknown): string {
  const text = typeof choice === 'string' ? choice : typeof choice
  const shown = JSON.stringify(text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}…`)
  return `context.engine: ${shown} is neither the name of an engine, such as "my-engine", nor of an npm package`
}

/** More alias resolutions than this are treated as a memory attack. */
const MAX_ALIASES = 100

export interface ReadYamlOptions {
  readonly fileName: string
  readonly example?: string
  /** Reads every scalar as text: `version: 1.0` is "1.0". Default false. */
  readonly textsOnly?: boolean
}

export interface YamlText {
  readonly document: Document.Parsed
  readonly content: Readonly<Record<string, unknown>>
}

export function readYaml(text: string, options: ReadYamlOptions): YamlText {
  const { fileName, example = '"context:" and "compression:"', textsOnly = false } = options
  const document = parseDocument(text, {
    keepSourceTokens: true,
    logLevel: 'error',
    ...(textsOnly && { schema: 'failsafe' }),
  })
  const [error] = document.errors
  if (error !== undefined) {
    const line = error.linePos?.[0].line
    const place = line === undefined ? fileName : `${fileName} line ${line}`
    throw new InvalidOptionError('', `${place}: ${yamlFault(error)}`, { cause: error })
  }
  if (isEmpty(document)) return { document, content: {} }
  if (!isMap(document.contents))
    throw new InvalidOptionError('', `${fileName}: expected keys such as ${example} at the top`)
  return { document, content: toObject(document, fileName) }
}

function isEmpty({ contents }: Document): boolean {
  return contents === null || (isScalar(contents) && contents.value === null)
}

function yamlFault({ code, message }: YAMLError): string {
  if (code === 'MULTIPLE_DOCS') return 'a second document begins here; keep one, without lines of "---"'
  const [reason = message] = message.split(/ at line \d+, column \d+|\n/, 1)
  return reason
}

function toObject(document: Document, fileName: string): Readonly<Record<string, unknown>> {
  const refuse = (fault: string, cause: unknown): never => {
    throw new InvalidOptionError('', `${fileName}: ${fault}; write the values out`, { cause })
  }
  let content: Record<string, unknown>
  try {
    content = document.toJS({ maxAliasCount: MAX_ALIASES })
  } catch (error) {
    return refuse(errorText(error), error)
  }
  try {
    JSON.stringify(content)
  } catch (error) {
    return refuse('an alias stands inside of what it refers to', error)
  }
  return content
}

/**
 * Reads `context.engine` from a `config.yaml` without validating the rest. Undefined if no engine is named, if it is
 * not a text, or if the file cannot be parsed; `parseConfig` reports why.
 */
export function engineChoice(text: string): string | undefined {
  const engine = configValue(text, ['context', 'engine'])
  return typeof engine === 'string' && engine !== '' ? engine : undefined
}

/** Reads the value at a path of a `config.yaml`, unchecked. Undefined also if the file cannot be parsed. */
export function configValue(text: string, path: readonly string[]): unknown {
  try {
    return path.reduce<unknown>(member, readYaml(text, { fileName: 'config.yaml' }).content)
  } catch {
    return undefined
  }
}

function member(value: unknown, key: string): unknown {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
}

/**
 * Returns the text of a `config.yaml` with `context.engine` set to a name. Comments and quotes stay; indents become two
 * spaces. The result is parsed again before it is returned.
 *
 * @throws InvalidOptionError for an invalid name, for a text that is not a configuration, and for YAML in which another
 * value would change too. The error says what to write by hand.
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
  } catch {}
  throw new InvalidOptionError(
    'context.engine',
    `${fileName} is written in a way that cannot be edited here; set context.engine to "${name}" by hand`,
  )
}

function setEngine(document: Document, context: object, name: string): void {
  const root = document.contents
  if (!isMap(root)) document.contents = document.createNode({ context: { engine: name } })
  else if (isMap(root.get('context', true))) root.setIn(['context', 'engine'], name)
  else root.set('context', document.createNode({ ...context, engine: name }))
}
