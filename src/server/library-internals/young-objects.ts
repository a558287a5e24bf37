import { setFlagsFromString } from 'node:v8'

/**
 * Has V8 create every object among the young ones. By itself, it creates those of a place in the code among the old ones once
 * most of that place have survived a collection. The list of listeners that Node keeps for a response is such a place when
 * answers wait for the database: from then on each response, with its request and all that it refers to, survives until the
 * old objects are collected, and collecting the young ones holds up the event loop ten times as long.
 */
export function keepObjectsYoung(): void {
  setFlagsFromString('--no-allocation-site-pretenuring')
}
