import { PGlite } from '@electric-sql/pglite'
import { btree_gist } from '@electric-sql/pglite/contrib/btree_gist'
const t=performance.now()
const db = await PGlite.create({ dataDir:'/tmp/pgl1', extensions:{btree_gist}})
console.log('create', performance.now()-t)
console.log((await db.query('select version()')).rows)
await db.query('create extension btree_gist')
const t2=performance.now()
const blob = await db.dumpDataDir('gzip'); console.log('dump', performance.now()-t2, blob.size)
await db.close()
const t3=performance.now()
const m = await PGlite.create({ loadDataDir: blob, extensions:{btree_gist}}); console.log('mem from dump', performance.now()-t3)
import argon2 from 'argon2'
const t4=performance.now(); await argon2.hash('x'); console.log('argon2', performance.now()-t4)
