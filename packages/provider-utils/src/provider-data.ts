import { isObject, type Loose, looseOf } from '@palimpsest/core'

/** What one package keeps in the `providerData` of a message, a part or a call, under its key; empty when nothing. */
export function providerDataOf(holder: unknown, key: string): Loose {
  const { providerData } = looseOf(holder)
  return isObject(providerData) && Object.hasOwn(providerData, key) ? looseOf(providerData[key]) : {}
}
