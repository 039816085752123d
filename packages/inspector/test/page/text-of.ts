import type { Locator } from 'playwright-core'

/** The program's types know no document: this is all that is asked of an element. */
type PageElement = HTMLElement & {
  readonly textContent: string | null
  getAttribute(name: string): string | null
}

/**
 * An element's text exactly as it is in the document. By code units: what a browser's protocol does with half a
 * character or a null would otherwise be tested instead.
 */
export async function textOf(element: Locator): Promise<string> {
  const units = await element.evaluate((node: PageElement) => {
    const text = node.textContent ?? ''
    return Array.from({ length: text.length }, (_, at) => text.charCodeAt(at))
  })
  return units.map((unit) => String.fromCharCode(unit)).join('')
}

/** How long an element's text is, in code units. */
export async function lengthOf(element: Locator): Promise<number> {
  return await element.evaluate((node: PageElement) => node.textContent?.length ?? 0)
}

/** An attribute of every element that is found, sorted; waits for the first. */
export async function attributesOf(elements: Locator, name: string): Promise<readonly string[]> {
  await elements.first().waitFor()
  const values = await elements.evaluateAll(
    (nodes: PageElement[], wanted) => nodes.map((node) => node.getAttribute(wanted) ?? ''),
    name,
  )
  return values.toSorted()
}
