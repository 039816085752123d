import fc from 'fast-check'

/** The next step of a host in a session. */
export type SessionStep =
  /** Says so many more transactions of the conversation, and prepares a request. */
  | { readonly do: 'say'; readonly transactions: number }
  /** An answer came; the provider reports the estimated prompt tokens times this, or nothing. */
  | { readonly do: 'observe'; readonly usage: number | null; readonly interrupted: boolean }
  | { readonly do: 'compact' }
  /** Compacts, and aborts so many rounds of the event loop later, while the model is waited for. */
  | { readonly do: 'abort'; readonly ticks: number }
  /** The model becomes another one. */
  | { readonly do: 'model'; readonly kind: 'answers' | 'refuses' | 'is down' | 'answers nonsense' }
  /** Takes transactions back, says something else instead or nothing, and prepares a request. */
  | { readonly do: 'edit'; readonly transactions: number; readonly instead: boolean }
  /** The provider found the last request too long, and said its limit in tokens or not. */
  | { readonly do: 'overflow'; readonly limit: number | null }
  | { readonly do: 'updateModel'; readonly window: number }
  | { readonly do: 'reset' }
  /** The process ends, and another one goes on with the same storage. Only for engines that persist. */
  | { readonly do: 'reopen' }

type Of<Kind> = Extract<SessionStep, { do: Kind }>

const say: fc.Arbitrary<Of<'say'>> = fc.record({
  do: fc.constant('say'),
  transactions: fc.integer({ min: 1, max: 8 }),
})
const observe: fc.Arbitrary<Of<'observe'>> = fc.record({
  do: fc.constant('observe'),
  usage: fc.constantFrom(null, 0.5, 1, 1.2, 3),
  interrupted: fc.boolean(),
})
const abort: fc.Arbitrary<Of<'abort'>> = fc.record({ do: fc.constant('abort'), ticks: fc.nat(3) })
const model: fc.Arbitrary<Of<'model'>> = fc.record({
  do: fc.constant('model'),
  kind: fc.constantFrom('answers', 'refuses', 'is down', 'answers nonsense'),
})
const edit: fc.Arbitrary<Of<'edit'>> = fc.record({
  do: fc.constant('edit'),
  transactions: fc.integer({ min: 1, max: 6 }),
  instead: fc.boolean(),
})
const overflow: fc.Arbitrary<Of<'overflow'>> = fc.record({
  do: fc.constant('overflow'),
  limit: fc.constantFrom(null, 300, 4_000),
})
const updateModel: fc.Arbitrary<Of<'updateModel'>> = fc.record({
  do: fc.constant('updateModel'),
  window: fc.constantFrom(200, 2_000, 8_000),
})

/** A course that a session may take: mostly talk, now and then something that goes wrong. */
export const sessionSteps: fc.Arbitrary<SessionStep[]> = fc.array(
  fc.oneof<fc.MaybeWeightedArbitrary<SessionStep>[]>(
    { weight: 8, arbitrary: say },
    { weight: 4, arbitrary: observe },
    { weight: 3, arbitrary: fc.constant({ do: 'compact' }) },
    { weight: 2, arbitrary: abort },
    { weight: 2, arbitrary: model },
    { weight: 3, arbitrary: edit },
    { weight: 2, arbitrary: overflow },
    { weight: 2, arbitrary: updateModel },
    { weight: 1, arbitrary: fc.constant({ do: 'reset' }) },
    { weight: 1, arbitrary: fc.constant({ do: 'reopen' }) },
  ),
  { minLength: 1, maxLength: 14, size: '+1' },
)
