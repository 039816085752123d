import { isObject, type Loose, looseOf } from '@palimpsest/core'

/** The data of one package in the `providerData` of a message, a part or a call. Empty when there are none. */
export function providerDataOf(holder: unknown, key: string): Loose {
  const { providerData } = looseOf(holder)
  return isObject(providerData) && Object.hasOwn(providerData, key) ? looseOf(providerData[key]) : {}
}
