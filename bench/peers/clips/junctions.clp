; What Waltz and WaltzDB ask about three lines that meet in a point; the same as bench/data/junctions.ts.

(deffunction direction (?from ?to)
   (bind ?x (- (div ?to 100) (div ?from 100)))
   (bind ?y (- (mod ?to 100) (mod ?from 100)))
   (if (= ?x 0) then (return (if (> ?y 0) then (/ (pi) 2) else (/ (pi) -2))))
   (bind ?slope (atan (/ ?y ?x)))
   (if (> ?x 0) then (return ?slope))
   (if (>= ?y 0) then (+ ?slope (pi)) else (- ?slope (pi))))

(deffunction angle (?base ?first ?second)
   (bind ?turn (abs (- (direction ?base ?first) (direction ?base ?second))))
   (if (> ?turn (pi)) then (- (* 2 (pi)) ?turn) else ?turn))

; The smallest sum of two angles, and the shaft and barbs that go with it.
(deffunction junction (?base ?p1 ?p2 ?p3)
   (bind ?a12 (angle ?base ?p1 ?p2))
   (bind ?a13 (angle ?base ?p1 ?p3))
   (bind ?a23 (angle ?base ?p2 ?p3))
   (bind ?best (if (< (+ ?a12 ?a13) (+ ?a12 ?a23))
                then (create$ (+ ?a12 ?a13) ?p1 ?p2 ?p3)
                else (create$ (+ ?a12 ?a23) ?p2 ?p1 ?p3)))
   (if (< (nth$ 1 ?best) (+ ?a13 ?a23)) then ?best else (create$ (+ ?a13 ?a23) ?p3 ?p1 ?p2)))

(deffunction junction_kind (?base ?p1 ?p2 ?p3)
   (bind ?sum (nth$ 1 (junction ?base ?p1 ?p2 ?p3)))
   (if (< (abs (- ?sum (pi))) 0.001) then tee else (if (> ?sum (pi)) then fork else arrow)))

(deffunction junction_shaft (?base ?p1 ?p2 ?p3) (nth$ 2 (junction ?base ?p1 ?p2 ?p3)))
(deffunction junction_barb1 (?base ?p1 ?p2 ?p3) (nth$ 3 (junction ?base ?p1 ?p2 ?p3)))
(deffunction junction_barb2 (?base ?p1 ?p2 ?p3) (nth$ 4 (junction ?base ?p1 ?p2 ?p3)))
