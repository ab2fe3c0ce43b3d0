----------------------- MODULE StatisticsAssertions -----------------------
(* Goodness of fit. There is no definition to evaluate.                    *)
EXTENDS Statistics

ASSUME ChiSquare(<<1, 2, 3>>, <<1, 2, 3>>, "0.01") /\ ChiSquare(<<1, 2, 3>>, <<1, 2, 3>>, "0.5")
ASSUME ~ChiSquare(<<6, 6, 6, 6, 6, 6>>, <<1, 2, 3, 4, 5, 6>>, "0.5")
=============================================================================
