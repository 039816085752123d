import { isObject, type Loose, looseOf, type ProviderData } from '@palimpsest/core'

/** The data of one package in the `providerData` of a message, part or call; empty if there are none. */
export function providerDataOf(holder: unknown, key: string): Loose {
  const { providerData } = looseOf(holder)
  return isObject(providerData) && Object.hasOwn(providerData, key) ? looseOf(providerData[key]) : {}
}

/** A field `providerData` with one package's data; empty if there are none. */
export function withProviderData(key: string, data: object): { readonly providerData?: ProviderData } {
  const known = withoutUndefined(looseOf(data))
  return Object.keys(known).length === 0 ? {} : { providerData: { [key]: known } }
}

/** Removes `undefined` members, which JSON does not have. */
export function withoutUndefined(value: Loose): Loose {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined))
}

/** The value if it is a text, else ''. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
