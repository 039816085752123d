import { readTranscript } from '@palimpsest/transcripts'
import { readFileSync } from 'node:fs'
const f='pi-large-session'
const lines=readFileSync(`/work/shared/data/sessions/${f}.jsonl`,'utf8').split('\n').filter(Boolean)
const objs=lines.map(l=>JSON.parse(l))
const types:Record<string,number>={}; for(const o of objs) types[o.type+(o.message?.role?':'+o.message.role:'')]=(types[o.type+(o.message?.role?':'+o.message.role:'')]??0)+1
console.log(types, Object.keys(objs[0]), JSON.stringify(objs[0]).slice(0,400))
const { entries, skipped } = await readTranscript(`/work/shared/data/sessions/${f}.jsonl`)
console.log(skipped)
let prev:any; let userReq=0,userHit=0,userMissShort=0,toolReq=0,toolMiss=0
const bins:Record<string,[number,number]>={}
for (const [i,e] of entries.entries()) {
  if (e.message.role!=='assistant'||!e.usage) continue
  const u=e.usage, b=entries[i-1], at=b?.timestamp??0
  const gap=prev?(at-prev.at)/1000:0
  if(prev){
   const miss=u.cacheReadTokens===0
   if(b?.message.role==='user'){ userReq++; if(!miss) userHit++; else if(gap<=300) userMissShort++
     const k= gap<30?'<30':gap<60?'<60':gap<120?'<120':gap<=300?'<300':'>300'; bins[k]??=[0,0]; bins[k][miss?1:0]++
     const between=lines.slice(prev.line, e.line-1).map(l=>JSON.parse(l)).map(o=>o.type+(o.message?.role?':'+o.message.role:'')+(o.message?.stopReason?':'+o.message.stopReason:'')+(o.customType??'')+(o.thinkingLevel??''))
     console.log(miss?'MISS':'hit ', i, 'gap',Math.round(gap), 'lines', prev.line, e.line, between.join(' | '), 'finish',objs[prev.line-1]?.message?.stopReason, 'parent ok', objs[e.line-1]?.parentId===objs[e.line-2]?.id, 'firstText', JSON.stringify(b.message.content).slice(0,60), 'prevThinking', JSON.stringify(objs[prev.line-1]?.message?.content?.map?.((c:any)=>c.type)))
   } else { toolReq++; if(miss) toolMiss++ } }
  prev={at,line:e.line}
}
console.log({userReq,userHit,userMissShort,toolReq,toolMiss,bins})
