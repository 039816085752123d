/** Whose words are read: a user decides, an assistant proposes. */
export type Voice = 'user' | 'assistant'

/** What a verb does with what follows it. */
export type CueKind = 'choose' | 'change' | 'replace' | 'end' | 'refuse'

/** A verb of choosing, with where what it is about begins. */
export interface Cue {
  readonly kind: CueKind
  readonly start: number
  /** One behind the verb. */
  readonly end: number
}

const CHOOSE =
  /(?<![\w-])(?:(?:keep|carry) on using|keep using|uses?|using|utili[sz]e|employ|choose|choosing|chose|chosen|pick(?:ed|ing)?|select(?:ed)?|adopt(?:ed|ing)?|take|prefer|(?:go|going|went|gone) (?:ahead )?(?:with|w\/?|for)|stick(?:ing)? (?:with|w\/?|to)|stuck with|stay(?:ing)? (?:with|on)|settl(?:e|ed|ing) (?:on|for)|opt(?:ed|ing)? for|standardi[sz](?:e|ed|ing) on|commit(?:ted|ting)? to|target|rely on|vote for|meant|mean|(?<=(?:'d|would) )like|decided? (?:on|for|upon|in favou?r of)|agreed? (?:on|upon)|(?:is|are|be|was|being|get)? ?(?:named|formatted|built|written|implemented|hosted|deployed|based|done|handled|managed|stored|kept|running|served|powered|secured|authenticated) (?:with|on|in|by|via|using|through|to)|(?:rather|just) have|going w\/|(?:merge|commit|branch|log) (?:it |this |everything )?(?:with|in|as|by)|follows?|(?:building|writing|developing|creating|making|rewriting|implementing|prototyping) (?:it |this |everything |(?:an?|the|our|my|this) [\w -]{2,40}? )?(?:with|on top of|on|in|via|using)|(?:build|write|implement|develop|create|make) (?:me |us )?(?:an?|the) (?:[\w-]+ ){0,3}?(?:app|application|site|website|game|service|api|dashboard|bot|cli|library|platform|shop|blog|backend|frontend|server) (?:with|on top of|on|in|via|using)|(?:build|write|implement|develop|code|create|do|handle|manage|model) (?:it |this |that |everything |the [\w -]{2,40}? |our [\w -]{2,40}? |all [\w -]{2,40}? |[a-z]{3,14} )?(?:with|on top of|on|in|via|using)|(?:deploy|host|ship|run|store|keep|put|cache|queue) (?:it |this |everything |the [\w -]{2,40}? |our [\w -]{2,40}? |all [\w -]{2,40}? |[a-z]{3,14} )?(?:to|on|with|in|via|using)|track (?:it |this |[a-z ]{3,30} )?(?:with|in|via|using)|parse (?:it |this |[a-z ]{3,30} )?(?:with|using)|runs? on|running on|(?:we're|we are|i'm) on|live[sd]? (?:in|on)|(?:go(?:es)?|ships?|deploys?) (?:in|into|through|via|to|on)|(?:style|test|lint|format|bundle|build|deploy|authenticate|validate|monitor|log|secure|manage|render|license|version|name|indent|sign) (?:it |this |everything |the [\w -]{2,40}? |our [\w -]{2,40}? |all [\w -]{2,40}? |[a-z]{3,14} )?(?:with|via|using|under|as)|(?:is|are|be) (?:licensed|released) under|keep(?:ing)?|do|try|want|trying|make (?:it|this|that)|to be|only supports?|land(?:ed|ing)? on|(?:going |go |publish(?:ed)? |release[ds]? |ship(?:ped)? |open[- ]?source[ds]? )(?:it |this )?(?:open source )?under|introduce|add|bring in|include|integrate|set up|install)(?![\w-])/gi

/** Verbs of an assistant's that choose nothing by themselves. */
const SUGGEST =
  /(?<![\w-])(?:recommend|suggest|propose|advise|favou?r|consider)(?:ing)?(?: (?:using|adopting|going with|that we use|to use|you use|we use|we go with|adding|we add))?(?![\w-])/gi

const CHANGE =
  /(?<![\w-])(?:switch(?:ed|ing)?|mov(?:e|ed|ing)|migrat(?:e|ed|ing)|chang(?:e|ed|ing)|convert(?:ed|ing)?|transition(?:ed|ing)?|port(?:ed|ing)?|upgrad(?:e|ed|ing)|downgrad(?:e|ed|ing)|bump(?:ed|ing)?|revert(?:ed|ing)?|pivot(?:ed|ing)?|(?:go|going|went) back|fall back|roll back)(?![\w-])/gi

const REPLACE =
  /(?<![\w-])(?:replac(?:e|ed|ing)|swap(?:ped|ping)?(?: out)?|exchang(?:e|ed|ing)|substitut(?:e|ed|ing)|trad(?:e|ed|ing) (?:in )?)(?![\w-])/gi

const END =
  /(?<![\w-])(?:drop(?:ped|ping)?|ditch(?:ed|ing)?|kill(?:ed|ing)?|axe|nuke|skip(?:ped|ping)?|leave out|throw out|toss|scrap(?:ped|ping)?|get(?:ting)? rid of|got rid of|abandon(?:ed|ing)?|remov(?:e|ed|ing)|rip(?:ped|ping)? out|forget(?: about| what i said about)?|scratch|never ?mind|ignore|phas(?:e|ed|ing) out|retir(?:e|ed|ing)|discontinu(?:e|ed|ing)|mov(?:e|ed|ing) (?:away|off)(?: from| of)?|(?:stop|quit|stopped|stopping) (?:using|relying on|depending on|supporting|with)|(?:don't|won't|do not|will not) need|no need for|no longer (?:use|using|need|needing|want|support|require|rely on|depend on)|not (?:use|using|need|needing) (?=[^,.;]{2,40} any ?more)|don't (?:use|need|want) (?=[^,.;]{2,40} any ?more)|(?:we're|we are|i'm) done with|deprecat(?:e|ed|ing)|undo|cancel(?:l?ed|l?ing)?|revoke)(?![\w-])/gi

/** What may stand before a verb for it to be the speaker's own choice; the rest of the words is somebody else's story. */
const OWN_LEAD =
  /(?:^|[,;:(–—]\s*|\b(?:and|then|so|but|also|please|pls|just|ok|okay|yes|yeah|yep|yup|k|kk|nah|no|nope|sure|now|instead|actually|hence|therefore|thus|still|definitely|always|simply|only|rather|finally|alright|right|great|perfect|cool|fine|thanks|good|nice|first|second|btw|oh|hmm|well|anyway|sorry|agreed|decision|decided|let'?s(?: all| just| please)*|let us|go ahead and|and|to|by|we'?d better|(?:let'?s )?keep it simple and)\s+)$/i
const OWN_SUBJECT =
  /(?:^|[^\w']|\b)(?:we|i|im|you|everyone|everybody|all of us)(?:'ll|'re|'ve|'d)?(?:\s+(?:will|are|am|have|shall|should|must|need to|needs to|want to|would like to|would prefer to|would rather|have to|can|going to|gonna|plan to|planning to|intend to|agreed to|decided to|definitely|always|already|currently|now|just|all|both|chose to|opted to|still|also|only|really|simply|finally|instead|today|want you to|want us to|like you to|like us to|need you to|expect you to|prefer to|prefer you to|ask you to|to|use|be|been|officially|like|prefer|then|ended up|landed on))*\s*$/i
const OWN_WANT =
  /\b(?:i|we)(?:'d| would)? (?:want|like|need|prefer)(?: [\w'-]+){1,5}\s*$|\b(?:i|we)(?:'d)? (?:want|like|need|would like|prefer|expect)(?: \w+){0,4} to(?: be)?\s*$|\b(?:make sure|be sure|remember|ensure)(?: to| you| we| that we| that you| everyone| it| they)*\s*$|\b(?:decided|agreed|chosen|settled|opted|plan|going|decision is|plan is|choice is|conclusion is)(?: that we(?:'ll| will| should)?| to| that we'?ll)\s*$/i
const THING_SUBJECT =
  /(?:^|[,;:]\s*|\b(?:and|so|now|because|that)\s+)(?:the|our|this|my|all|every|each|both|new|any)\s+[\w'/ -]{1,50}?(?:\s+(?:should|must|will|shall|has to|have to|needs? to|is going to|are going to|can|now|still|currently|already|also|only|always|all|is|are|be|gets?))*\s*$|(?:^|[,;:]\s*)[A-Za-z][\w/-]*(?: [\w/-]+){0,3}\s+(?:should|must|will|shall|has to|have to|needs? to)(?: always| all| only| also| now| be)*\s*$|(?:^|[,;:]\s*|\band\s+)(?:[\w/-]+ ){1,3}$/i

/** Verbs that, with a thing as the subject, say how things are. */
const STATES =
  /^(?:agreed|decided|chose|picked|settled|adopted|selected|to be|only support|named|formatted|uses|runs? on|live|lives|goes|go |stored|kept|built|written|is|are|be|hosted|deployed|based|use$|using$|implemented|done|handled|managed|served|powered|secured|authenticated)/i

const REFUSED =
  /\b(?:don'?t|pls don'?t|do not|never|not|won'?t|will not|shouldn'?t|should not|mustn'?t|must not|can'?t|cannot|avoid|didn'?t|did not|haven'?t|have not|hasn'?t|aren'?t|are not|isn'?t|is not|ain'?t|against|nor|no one|nobody|refuse to|without|hate|hates|dislike|sick of|tired of|cannot|no need to)(?:\s+(?:to|ever|really|actually|just|even|yet|currently|be|been|want(?: you| us)?(?: to)?|we|you|have|using|going to|need to|like|like to|think (?:we|you|it)(?: should)?|recommend|suggest))*\s*$/i
const OLD =
  /\b(?:instead of|rather than|over|no longer|stop|quit|stopped|used to|in place of|as opposed to|versus|vs\.?)\s*$/i

const SOMEBODY =
  /(?:^|[\s,;:])(?:it|this|that|they|he|she|who|which|what|some|others?|people|most|many|them|there)\s+(?:\w+\s+)?$/i

/** What an assistant's suggestion begins with. */
const SUGGESTS =
  /\b(?:recommend|suggest|propose|advise|consider|favou?r|lean(?:ing)? (?:towards?|to)|how about|what about|go ahead and|i'?d|i would|i'?ll|i will|i'?ve|i have|i'?m going to|i|we|we could|we can|you could|you can|you might(?: want to)?|you may(?: want to)?|you should|we should|we'?ll|should (?:i|we)|shall (?:i|we)|want me to|would you like(?: me)? to|do you want(?: me| us)? to|could|can|might|may|option(?: \w+)?:?|best|better|easiest|simplest|be to|is to|would be|idea is to|approach:?|plan is to|by|happy to)(?: \w+ly)?(?: (?:to|that we|that you|we|you|us|then|just|also|be|simply|first|be to|instead|now))*\s*$/i

/** The verbs of choosing in a clause, each with what the words before it make of it. */
export function cuesIn(shape: string, voice: Voice): Cue[] {
  const cues: Cue[] = []
  const add = (pattern: RegExp, kind: CueKind): void => {
    for (const match of shape.matchAll(pattern)) {
      // "I want Go for the command line" names a language.
      if (match.index > 0 && /^Go\s/.test(match[0])) continue
      const start = match.index + (match[0].length - match[0].trimStart().length)
      const end = match.index + match[0].length
      if (cues.some((cue) => start < cue.end && cue.start < end)) continue
      const kindHere = kindBehind(shape.slice(Math.max(0, start - 120), start), match[0].trim(), kind, voice)
      if (kindHere !== undefined) cues.push({ kind: kindHere, start, end })
    }
  }
  add(END, 'end')
  add(REPLACE, 'replace')
  add(CHANGE, 'change')
  if (voice === 'assistant') add(SUGGEST, 'choose')
  add(CHOOSE, 'choose')
  return cues.sort((a, b) => a.start - b.start)
}

function kindBehind(left: string, verb: string, kind: CueKind, voice: Voice): CueKind | undefined {
  if (OLD.test(left) || (voice === 'assistant' && /^uses$/i.test(verb))) return undefined
  if (REFUSED.test(left)) return kind === 'choose' ? 'refuse' : undefined
  if (OWN_LEAD.test(left) || OWN_SUBJECT.test(left) || OWN_WANT.test(left)) return kind
  if (voice === 'assistant' && SUGGESTS.test(left)) return kind
  return voice === 'user' &&
    kind === 'choose' &&
    STATES.test(verb) &&
    THING_SUBJECT.test(left) &&
    !SOMEBODY.test(left)
    ? kind
    : undefined
}
