import { readFileSync } from 'node:fs'
import ts from 'typescript'

/** Docstrings of keys, by path. */
export type Docs = Readonly<Record<string, string>>

/** Where a number comes from: of no use to a user. */
const SOURCE = / \((?:(?:claw|paper|seed)\b[^)]*|`[A-Z_]+`)\)/g

/** The docstrings of an object's keys, and of those of objects inside of it, as they stand in the source of a module. */
export function docsOf(file: URL, name: string): Docs {
  const source = ts.createSourceFile(file.pathname, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true)
  const constants = new Map<string, ts.Expression>()
  for (const statement of source.statements.filter(ts.isVariableStatement))
    for (const { name, initializer } of statement.declarationList.declarations)
      if (initializer !== undefined) constants.set(name.getText(), initializer)

  const found: Record<string, string> = {}
  const read = (value: ts.Expression | undefined, path: string): void => {
    for (const property of literalOf(value, constants)?.properties ?? []) {
      const key = property.name === undefined ? '' : property.name.getText().replaceAll("'", '')
      const doc = docOf(property)
      if (doc !== undefined) found[path + key] = doc
      if (ts.isPropertyAssignment(property)) read(property.initializer, `${path}${key}.`)
    }
  }
  read(constants.get(name), '')
  return found
}

/** The object that a schema is made of: in a variable, in `strictObject` or `freeze`, before any methods, perhaps in `lazily`. */
function literalOf(
  value: ts.Expression | undefined,
  constants: ReadonlyMap<string, ts.Expression>,
): ts.ObjectLiteralExpression | undefined {
  if (value === undefined || ts.isObjectLiteralExpression(value)) return value
  if (ts.isIdentifier(value)) return literalOf(constants.get(value.text), constants)
  if (ts.isArrowFunction(value)) return literalOf(resultOf(value.body), constants)
  if (!ts.isCallExpression(value)) return undefined
  if (value.expression.getText() === 'lazily') return literalOf(value.arguments[0], constants)
  if (!ts.isPropertyAccessExpression(value.expression)) return undefined
  const { name, expression } = value.expression
  const isMaker = name.text === 'strictObject' || name.text === 'freeze'
  return literalOf(isMaker ? value.arguments[0] : expression, constants)
}

function resultOf(body: ts.ConciseBody): ts.Expression | undefined {
  return ts.isBlock(body) ? body.statements.find(ts.isReturnStatement)?.expression : body
}

function docOf(node: ts.Node): string | undefined {
  const text = ts
    .getJSDocCommentsAndTags(node)
    .map(({ comment }) => (typeof comment === 'string' ? comment : ts.getTextOfJSDocComment(comment)))
    .join(' ')
  return text === '' ? undefined : text.replace(/\s+/g, ' ').replace(SOURCE, '')
}
