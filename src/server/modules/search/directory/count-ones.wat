;; Counts what a set of bits has in common with each of several rows of bits, 128 bits at a time. Read by
;; bitmap-rows.ts as count-ones.gen.ts, which `npm run generate` writes.
(module
  (memory (export "memory") 1)

  ;; All addresses and `bytes`, the length of the mask and of each row, are multiples of 16. Writes a number for each row.
  (func (export "count")
    (param $mask i32) (param $row i32) (param $bytes i32) (param $rows i32) (param $out i32)
    (local $at i32) (local $end i32) (local $each v128) (local $total v128)
    (loop $nextRow
      (local.set $total (v128.const i32x4 0 0 0 0))
      (local.set $at (i32.const 0))
      (loop $nextBlock
        ;; Thirty times at most eight ones fit into each byte of `each`.
        (local.set $each (v128.const i32x4 0 0 0 0))
        (local.set $end (i32.add (local.get $at) (i32.const 480)))
        (if (i32.gt_u (local.get $end) (local.get $bytes))
          (then (local.set $end (local.get $bytes))))
        (loop $nextVector
          (local.set $each
            (i8x16.add
              (local.get $each)
              (i8x16.popcnt
                (v128.and
                  (v128.load (i32.add (local.get $mask) (local.get $at)))
                  (v128.load (i32.add (local.get $row) (local.get $at)))))))
          (local.set $at (i32.add (local.get $at) (i32.const 16)))
          (br_if $nextVector (i32.lt_u (local.get $at) (local.get $end))))
        (local.set $total
          (i32x4.add
            (local.get $total)
            (i32x4.extadd_pairwise_i16x8_u (i16x8.extadd_pairwise_i8x16_u (local.get $each)))))
        (br_if $nextBlock (i32.lt_u (local.get $at) (local.get $bytes))))
      (i32.store
        (local.get $out)
        (i32.add
          (i32.add (i32x4.extract_lane 0 (local.get $total)) (i32x4.extract_lane 1 (local.get $total)))
          (i32.add (i32x4.extract_lane 2 (local.get $total)) (i32x4.extract_lane 3 (local.get $total)))))
      (local.set $out (i32.add (local.get $out) (i32.const 4)))
      (local.set $row (i32.add (local.get $row) (local.get $bytes)))
      (local.set $rows (i32.sub (local.get $rows) (i32.const 1)))
      (br_if $nextRow (local.get $rows)))))
