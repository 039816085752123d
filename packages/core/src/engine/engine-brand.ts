/** Marks what `defineContextEngine` returned, across every installed copy of this package. */
export const engineBrand = Symbol.for('palimpsest.context-engine')
