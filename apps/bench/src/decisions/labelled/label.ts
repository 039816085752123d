import * as z from 'zod'

/** The act of a message on a choice. */
export type LabelKind = 'assert' | 'propose' | 'accept' | 'retract'

/** A careful reader's view of a message: a choice that it decides, proposes, takes up or takes back. */
export interface Label {
  /** The kinds that are right; the first one is the one that it is counted under. */
  readonly kinds: readonly [LabelKind, ...LabelKind[]]
  /** A slot of the dictionary, `setting:…`, `name:<old name>`, `rule`, `location`, or `any` where the dictionary has none. */
  readonly slot: string
  readonly value: string
  /** The old value, where the text names it. */
  readonly replaces?: string
  readonly area?: string
  readonly isOptional?: boolean
}

/** The words that begin a label in a file, each followed by the value. */
const KINDS = {
  assert: ['assert'],
  /** The assistant suggests or announces a choice. */
  propose: ['propose'],
  accept: ['accept'],
  pick: ['assert', 'accept'],
  retract: ['retract'],
  /** The user lays down a rule. It needs no slot. */
  rule: ['assert'],
} as const satisfies Record<string, Label['kinds']>

const WORDS = Object.keys(KINDS) as (keyof typeof KINDS)[]
const text = z.string().min(1)

export const labelSchema = z
  .strictObject({
    ...{ assert: text, propose: text, accept: text, pick: text, retract: z.string(), rule: text },
    ...{ slot: text, replaces: text, area: text, optional: z.literal(true) },
  })
  .partial()
  .transform((label, { addIssue }): Label => {
    const [word = 'assert', ...more] = WORDS.filter((each) => label[each] !== undefined)
    const slot = word === 'rule' ? 'rule' : label.slot
    const value = label[word]
    if (value === undefined || more.length > 0) addIssue(`a label has one of ${WORDS.join(', ')}`)
    if ((label.slot === undefined) !== (word === 'rule')) addIssue('a label has a slot, except a rule')
    const { replaces, area, optional } = label
    return {
      kinds: KINDS[word],
      slot: slot ?? '',
      value: value ?? '',
      ...(replaces !== undefined && { replaces }),
      ...(area !== undefined && { area }),
      ...(optional !== undefined && { isOptional: optional }),
    }
  })
