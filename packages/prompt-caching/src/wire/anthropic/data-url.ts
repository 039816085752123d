export interface DataUrl {
  /** Lower case, without parameters. */
  readonly mediaType: string
  readonly isBase64: boolean
  readonly data: string
}

/** The parts of a `data:` URL, however long; undefined for anything else. */
export function dataUrl(url: string): DataUrl | undefined {
  const comma = url.indexOf(',')
  if (comma === -1 || url.slice(0, 5).toLowerCase() !== 'data:') return undefined
  const [mediaType = '', ...parameters] = url.slice(5, comma).toLowerCase().split(';')
  return { mediaType, isBase64: parameters.at(-1) === 'base64', data: url.slice(comma + 1) }
}
