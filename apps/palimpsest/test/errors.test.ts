import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { PalimpsestError } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'

type ErrorClass = typeof PalimpsestError

const root = fileURLToPath(new URL('../../../', import.meta.url))
const files = globSync('{packages,apps}/*/src/**/*.ts', { cwd: root }).filter((file) =>
  /class \w+Error extends \w+Error\b/.test(readFileSync(root + file, 'utf8')),
)
const modules: object[] = await Promise.all(files.map((file) => import(root + file)))
/** Every coded error of every package, exported to strangers or not. */
const classes = [...new Set(modules.flatMap((module) => Object.values(module)).filter(isErrorClass))]

describe.each(classes.map((type) => [`${type.name} (${markOf(type)})`, type] as const))('%s', (_, type) => {
  it('has a mark of its own', () => {
    expect(Object.hasOwn(type, 'isInstance')).toBe(true)
    expect(classes.filter((other) => markOf(other) === markOf(type))).toEqual([type])
  })

  it('is recognised by its own class and those above it, and by no other', () => {
    const error = Object.create(type.prototype)
    expect(classes.filter((other) => other.isInstance(error))).toEqual(
      classes.filter((other) => other === type || type.prototype instanceof other),
    )
  })
})

it('are all there', () => {
  expect(classes.length).toBeGreaterThan(5)
  expect(classes).toContain(PalimpsestError)
})

function isErrorClass(value: unknown): value is ErrorClass {
  return (
    value === PalimpsestError || (typeof value === 'function' && value.prototype instanceof PalimpsestError)
  )
}

/** The mark that a class puts on its errors; undefined for one that has only that of its parent. */
function markOf(type: ErrorClass): string | undefined {
  const [mark] = Object.getOwnPropertySymbols(type.prototype)
  return mark?.description
}
