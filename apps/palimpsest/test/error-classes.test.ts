import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { PalimpsestError } from '@palimpsest/core'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const DECLARED = /^export class (\w+) extends (?:Palimpsest|Store)Error\b/gm

/** Every error class of the repository, from its own file. */
const classes: { readonly place: string; readonly type: typeof PalimpsestError }[] = [
  { place: 'PalimpsestError', type: PalimpsestError },
]
for (const path of globSync('{packages,apps}/*/src/**/*.ts', { cwd: root }).sort())
  for (const [, name = ''] of readFileSync(`${root}/${path}`, 'utf8').matchAll(DECLARED))
    classes.push({ place: `${path} ${name}`, type: (await import(`${root}/${path}`))[name] })

it('an error is an instance of its own class and of those above it, and of no other', () => {
  expect(classes.length).toBeGreaterThan(15)
  for (const { place, type } of classes)
    for (const other of classes) {
      const isInstance = type.isInstance(Object.create(other.type.prototype))
      const isBelow = other.type === type || Object.prototype.isPrototypeOf.call(type, other.type)
      expect([place, other.place, isInstance]).toEqual([place, other.place, isBelow])
    }
})
